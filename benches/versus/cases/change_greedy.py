"""Change with as few coins as possible."""

# bench: list int loop hard
# fails: fewest([4, 3, 1], 6)
from typing import List


def fewest(coins: List[int], amount: int) -> int:
    """
    pre: len(coins) == 3
    pre: coins[2] == 1 < coins[1] < coins[0] <= 12
    pre: 0 < amount <= 20
    post: _ <= best(coins, amount)
    """
    count = 0
    for coin in coins:
        count += amount // coin
        amount %= coin  # bug: the largest coin is not always a good beginning
    return count


def best(coins, amount):
    counts = [0]
    for value in range(1, amount + 1):
        counts.append(1 + min(counts[value - coin] for coin in coins if coin <= value))
    return counts[amount]
