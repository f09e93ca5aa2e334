"""The check digit of a book number; X stands for ten."""

# bench: str int loop hard
# fails: is_valid('0X00000300')
def is_valid(isbn: str) -> bool:
    """
    pre: len(isbn) == 10
    pre: all(char in "0123456789X" for char in isbn)
    post: not _ or "X" not in isbn[:9]
    """
    total = 0
    for place, char in enumerate(isbn):
        digit = 10 if char == "X" else int(char)  # bug: X may only be the last
        total += (10 - place) * digit
    return total % 11 == 0 and isbn[0] != "X"
