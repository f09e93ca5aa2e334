"""The middle of two numbers."""

# bench: float hard
# fails: middle(1e+308, 8e+307)
def middle(a: float, b: float) -> float:
    """
    pre: -1.7e308 < a < 1.7e308
    pre: -1.7e308 < b < 1.7e308
    post: min(a, b) <= _ <= max(a, b)
    """
    return (a + b) / 2.0  # bug: the sum may be infinite
