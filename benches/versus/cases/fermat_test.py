"""Primes by Fermat's little theorem."""

# bench: int hard
# fails: is_prime(1105)
def is_prime(number: int) -> bool:
    """
    pre: 3 < number < 2000
    post: not _ or all(number % divisor for divisor in range(2, 45) if divisor < number)
    """
    return pow(2, number - 1, number) == 1 and pow(3, number - 1, number) == 1
    # bug: some numbers lie to both, 1105 is the first
