"""The same day of the next month, for a subscription."""

# bench: date exception
# fails: renewal(date(2000, 1, 30))
from datetime import date


def renewal(bought: date) -> date:
    """
    pre: 2000 <= bought.year <= 2100
    post: _ > bought
    """
    if bought.month == 12:
        return bought.replace(year=bought.year + 1, month=1)
    return bought.replace(month=bought.month + 1)  # bug: there is no 31 June
