"""Correct functions over numbers. `# proved` marks those whose trees are finite."""


def absolute(x: int) -> int:  # proved
    """
    :ensure: returnv >= 0, returnv in (x, -x)
    """
    return x if x >= 0 else -x


def clamp(x: int, low: int, high: int) -> int:  # proved
    """
    :assume: low <= high
    :ensure: low <= returnv <= high
    """
    return max(low, min(x, high))


def middle(a: int, b: int, c: int) -> int:  # proved
    """
    :ensure: returnv in (a, b, c), min(a, b, c) <= returnv <= max(a, b, c)
    """
    if a > b:
        a, b = b, a
    return max(a, min(b, c))


def quotient(a: int, b: int) -> int:  # proved
    """
    :raises: ZeroDivisionError: b == 0
    :ensure: returnv * b + a % b == a
    """
    return a // b


def is_leap(year: int) -> bool:  # proved
    """
    :ensure: returnv == (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    """
    if year % 400 == 0:
        return True
    if year % 100 == 0:
        return False
    return year % 4 == 0


def parity(n: int) -> bool:  # proved
    """
    post: _ == (n % 2 == 0)
    """
    return n & 1 == 0


def low_nibble(n: int) -> int:  # proved
    """
    pre: 0 <= n < 256
    post: 0 <= _ < 16
    post: (n - _) % 16 == 0
    """
    return n & 15


def average(a: int, b: int) -> int:  # proved
    """
    :assume: a <= b
    :ensure: a <= returnv <= b
    """
    return a + (b - a) // 2


def sign(x: float) -> int:  # proved
    """
    :ensure: returnv in (-1, 0, 1)
    """
    if x > 0:
        return 1
    return -1 if x < 0 else 0


def safe_inverse(x: float) -> float:
    """
    :ensure: returnv == 0.0 or x != 0.0
    """
    return 0.0 if x == 0.0 else 1.0 / x


def remainder(x: float) -> float:
    """
    :ensure: returnv >= 0.0
    """
    if x == -2.6229075025237076e16:
        return x % 2.5890419884777833e-42
    return 0.0


def is_number(x: float) -> bool:  # proved
    """
    :ensure: returnv == (x - x == 0.0 or abs(x) == float("inf"))
    """
    return x == x


def truth_table(p: bool, q: bool) -> bool:  # proved
    """
    :ensure: returnv == (not (p and q))
    """
    return not p or not q


def digits(n: int) -> int:
    """
    :assume: n >= 0
    :ensure: returnv >= 1
    """
    count = 1
    while n >= 10:
        n //= 10
        count += 1
    return count


def gcd(a: int, b: int) -> int:
    """
    :assume: 0 < a < 50, 0 < b < 50
    :ensure: a % returnv == 0, b % returnv == 0
    """
    while b:
        a, b = b, a % b
    return a
