"""The sum of the digits of a number."""

# bench: int recursion
# fails: digit_sum(-1)
def digit_sum(number: int) -> int:
    """
    pre: abs(number) < 10**6
    post: _ >= 0
    """
    if number == 0:
        return 0
    return number % 10 + digit_sum(number // 10)  # bug: -1 // 10 is -1, for ever
