"""A bank account that never lends."""

# bench: class invariant correct
class Account:
    """
    inv: self.balance >= 0
    """

    def __init__(self, balance: int) -> None:
        """
        pre: balance >= 0
        """
        self.balance = balance

    def __repr__(self) -> str:
        return f"Account({self.balance})"

    def withdraw(self, amount: int) -> bool:
        """
        pre: amount > 0
        post: True
        """
        if amount > self.balance:
            return False
        self.balance -= amount
        return True
