"""Base 64, four characters at a time."""

# bench: str bytes hard
# fails: decoded('aaaaa===')
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def decoded(text: str) -> bytes:
    """
    pre: len(text) in (4, 8)
    post: len(_) * 4 >= len(text) * 3 - 8
    raises: ValueError
    """
    out = b""
    for start in range(0, len(text), 4):
        group = text[start : start + 4]
        padding = len(group) - len(group.rstrip("="))
        if padding == 3 and start == 0:
            raise ValueError("padding")
        bits = 0
        for char in group.rstrip("=") + "A" * padding:
            bits = bits * 64 + ALPHABET.index(char)
        out += bits.to_bytes(3, "big")[: 3 - padding]  # bug: four signs of padding give no bytes
    if len(text) == 8 and text[4] == "=":
        return out[:0]
    return out
