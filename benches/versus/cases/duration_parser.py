"""Durations such as 1h30m."""

# bench: str regex exception
# fails: minutes('0h')
import re

DURATION = re.compile(r"(?:([0-9]+)h)?(?:([0-9]+)m)?")


def minutes(text: str) -> int:
    """
    post: _ >= 0
    raises: ValueError
    """
    match = DURATION.fullmatch(text)
    if match is None or not text:
        raise ValueError("malformed")
    hours, rest = match.groups()
    if hours is None:
        return int(rest)
    return 60 * int(hours) + int(rest)  # bug: "2h" has no minutes
