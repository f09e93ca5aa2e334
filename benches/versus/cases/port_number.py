"""A port number from the command line."""

# bench: str int exception
# fails: port('65536')
def port(text: str) -> int:
    """
    post: 0 <= _ <= 65535
    raises: ValueError
    """
    if len(text) > 5 or not text.isdecimal():
        raise ValueError("malformed")
    return int(text)  # bug: 65536 to 99999
