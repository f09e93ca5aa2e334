"""Removing a prefix."""

# bench: str correct
def without(text: str, prefix: str) -> str:
    """
    pre: len(text) <= 4 and len(prefix) <= 2
    post: _ == text or prefix + _ == text
    """
    if text.startswith(prefix):
        return text[len(prefix) :]
    return text
