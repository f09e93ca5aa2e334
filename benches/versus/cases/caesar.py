"""Caesar's cipher."""

# bench: str int loop
# fails: shifted('Z', 1)
def shifted(text: str, by: int) -> str:
    """
    pre: len(text) <= 3
    pre: 0 <= by < 26
    post: all(a.isupper() == b.isupper() for a, b in zip(text, _))
    """
    out = ""
    for char in text:
        if "a" <= char <= "z":
            out += chr((ord(char) - 97 + by) % 26 + 97)
        elif "A" <= char <= "Z":
            out += chr(ord(char) + by)  # bug: runs out of the alphabet
        else:
            out += char
    return out
