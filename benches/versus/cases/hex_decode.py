"""Decoding of base 16."""

# bench: bytes exception
# fails: decode(b'0g')
def digit(code: int) -> int:
    if 48 <= code <= 57:
        return code - 48
    if 97 <= code <= 103:  # bug: g is no digit
        return code - 87
    raise ValueError("no digit")


def decode(data: bytes) -> bytes:
    """
    pre: len(data) <= 4
    post: _.hex().encode() == data
    raises: ValueError
    """
    if len(data) % 2:
        raise ValueError("half a byte")
    return bytes(16 * digit(data[i]) + digit(data[i + 1]) for i in range(0, len(data), 2))
