"""The least there is to check."""


def successor(number: int) -> int:
    """
    post: _ > number
    """
    return number + 1
