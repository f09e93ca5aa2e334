"""Which of two releases is newer."""

# bench: str regex
# fails: is_newer('10.0', '2.0')
import re

RELEASE = re.compile(r"[1-9][0-9]?\.[0-9]")


def is_newer(a: str, b: str) -> bool:
    """
    pre: RELEASE.fullmatch(a) and RELEASE.fullmatch(b)
    post: _ == ([int(part) for part in a.split(".")] > [int(part) for part in b.split(".")])
    """
    return a > b  # bug: 10.0 is newer than 9.0
