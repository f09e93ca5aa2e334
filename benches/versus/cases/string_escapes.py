"""Escapes in a string literal."""

# bench: str loop exception
# fails: unescaped('\\')
def unescaped(text: str) -> str:
    r"""
    pre: len(text) <= 6
    post: len(_) <= len(text)
    raises: ValueError
    """
    out, i = "", 0
    while i < len(text):
        if text[i] != "\\":
            out += text[i]
            i += 1
        elif text[i + 1 : i + 2] == "u":
            out += chr(int(text[i + 2 : i + 6], 16))
            i += 6
        elif text[i + 1] in "nt":  # bug: a backslash may be the last character
            out += {"n": "\n", "t": "\t"}[text[i + 1]]
            i += 2
        else:
            raise ValueError("no such escape")
    return out
