"""Roman numerals with an incomplete table."""

# bench: int str loop
# fails: roman(400)
TABLE = [
    (1000, "M"), (900, "CM"), (500, "D"), (100, "C"),  # bug: no 400
    (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]  # fmt: skip


def roman(number: int) -> str:
    """
    pre: 0 < number < 4000
    post: "IIII" not in _ and "XXXX" not in _ and "CCCC" not in _
    """
    letters = ""
    for value, sign in TABLE:
        while number >= value:
            letters += sign
            number -= value
    return letters
