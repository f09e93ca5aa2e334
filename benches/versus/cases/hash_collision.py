"""Telling names apart by a hash of 16 bits."""

# bench: str int loop hard
# fails: are_same('aaaa', 'cggc')
def short_hash(name: str) -> int:
    value = 7
    for char in name:
        value = (value * 31 + ord(char)) & 0xFFFF
    return value


def are_same(a: str, b: str) -> bool:
    """
    pre: len(a) == 4 and len(b) == 4
    pre: all("a" <= char <= "z" for char in a + b)
    post: _ == (a == b)
    """
    return short_hash(a) == short_hash(b)  # bug: names may collide
