"""Unordered pairs, told apart by one number."""

# bench: int nonlinear hard
# fails: same_pair(1, 12, 9, 10)
def key(a: int, b: int) -> int:
    return a * a * a + b * b * b


def same_pair(a: int, b: int, c: int, d: int) -> bool:
    """
    pre: all(1 <= n <= 30 for n in (a, b, c, d))
    post: _ == ({a, b} == {c, d})
    """
    return key(a, b) == key(c, d)  # bug: 1729 is a sum of two cubes in two ways
