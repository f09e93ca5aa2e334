"""Dotted addresses, read by hand."""

# bench: str hard
# fails: address('256.0.0.0')
def address(text: str) -> int:
    """
    pre: len(text) <= 15
    post: 0 <= _ < 2**32
    raises: ValueError
    """
    parts = text.split(".")
    if len(parts) != 4:
        raise ValueError("malformed")
    number = 0
    for place, part in enumerate(parts):
        if not part.isdecimal() or len(part) > 3:
            raise ValueError("malformed")
        value = int(part)
        if value > 255 and place > 0:  # bug: the first part is not looked at
            raise ValueError("malformed")
        number = number * 256 + value
    return number
