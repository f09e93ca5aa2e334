"""Sums and differences, read from text."""

# bench: str recursion hard
# fails: result('0-0-1')
def value(text: str) -> int:
    head, _, tail = text.partition("-")
    if tail:
        return value(head) - value(tail)  # bug: 5-2-1 is not 5-(2-1)
    return sum(int(number) for number in head.split("+"))


def result(text: str) -> int:
    """
    pre: 1 <= len(text) <= 7
    pre: all(char in "0123456789+-" for char in text)
    pre: text[0] not in "+-" and text[-1] not in "+-"
    pre: not any(pair in text for pair in ("++", "--", "+-", "-+"))
    post: _ == sum(int(number) for number in text.replace("-", "+-").split("+"))
    """
    return value(text)
