"""Characters of one and two bytes, decoded by hand."""

# bench: bytes str hard
# fails: decoded(b'\xc0\xbf')
def decoded(data: bytes) -> str:
    """
    pre: 1 <= len(data) <= 4
    post: _.encode() == data
    raises: ValueError
    """
    text, i = "", 0
    while i < len(data):
        first = data[i]
        if first < 0x80:
            text += chr(first)
            i += 1
        elif 0xC0 <= first < 0xE0 and i + 1 < len(data) and 0x80 <= data[i + 1] < 0xC0:
            text += chr((first & 0x1F) << 6 | data[i + 1] & 0x3F)  # bug: C0 80 is no character
            i += 2
        else:
            raise ValueError("no character")
    return text
