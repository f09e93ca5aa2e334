"""A small shop. Some of it is right."""


def discounted(price: int, percent: int) -> int:
    """Return the price with a discount.

    :assume: price >= 0, 0 <= percent <= 100
    :ensure: 0 <= returnv <= price
    """
    return price - price * percent // 100


def shipping(weights: list[int]) -> int:
    """Return the cost of sending a parcel, by its heaviest item."""
    heaviest = sorted(weights)[-1]
    return 5 if heaviest < 10 else 12


def coupon(code: str) -> int:
    """Return the percentage a coupon is worth: "SAVE20" is worth 20."""
    if code.startswith("SAVE"):
        return int(code[4:])
    return 0
