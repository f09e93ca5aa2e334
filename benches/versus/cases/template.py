"""Filling a template."""

# bench: str dict hard
# fails: filled('{', {})
from typing import Dict


def filled(template: str, values: Dict[str, str]) -> str:
    """
    pre: len(template) <= 6
    pre: len(values) <= 1
    post: True
    raises: KeyError
    """
    out, rest = "", template
    while "{" in rest:
        before, rest = rest.split("{", 1)
        name, rest = rest.split("}", 1)  # bug: a brace that is never closed
        out += before + values[name]
    return out + rest
