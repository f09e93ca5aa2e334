"""A bank account that charges for withdrawals."""

# bench: class invariant
# fails: withdraw(Account(1), 1)
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
        fee = 5 if amount < 100 else 0
        if amount > self.balance:
            return False
        self.balance -= amount + fee  # bug: the fee may not be covered
        return True
