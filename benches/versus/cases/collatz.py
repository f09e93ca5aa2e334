"""A counter that is one byte short."""

# bench: int loop hard
# fails: steps(27)
def steps(number: int) -> int:
    """
    pre: 1 <= number <= 60
    post: _ < 110
    """
    count = 0
    while number != 1:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        count += 1
    return count  # bug: 27 takes 111 steps
