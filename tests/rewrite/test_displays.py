"""Dicts and sets made by rewritten code are those CPython makes, in the same order of events."""

import pytest

TRACE = """
def seen(value):
    log.append(value)
    return value

class Loud:
    def __init__(self, *items):
        self.items = items
    def __iter__(self):
        for item in self.items:
            log.append(("drawn", item))
            yield item
    def keys(self):
        log.append("keys")
        return iter(self.items)
    def __getitem__(self, key):
        log.append(("looked up", key))
        return key * 10
"""


@pytest.mark.parametrize(
    "expression",
    [
        "{seen(1): seen(2), seen(3): seen(4)}",
        "{seen(1): seen('a'), seen(True): seen('b'), seen(1.0): seen('c')}",
        "{**Loud(1, 2), seen(2): seen(3), **Loud(1)}",
        "{seen(1): seen(2), **Loud(1, 5), **{seen(6): seen(7)}}",
        "{seen(1), seen(2), seen(True)}",
        "{seen(1), *Loud(2, 1.0), seen(3)}",
        "{*Loud(3, 4), *Loud(4)}",
        "{seen(v): seen(v + 1) for v in Loud(1, True, 2) if seen(v)}",
        "{seen(v) for v in Loud(1, True, 2)}",
        "{v % 2: [w for w in (v, v + 1)] for v in range(5)}",
        "{(v, w): v * w for v in range(3) for w in range(v)}",
        "{k: {k: v} for k, v in {seen(1): seen(2)}.items()}",
        "dict({seen(v): v for v in range(3)}, **{seen('a'): 1})",
        "{seen(n): n for n in range(40)} == {"
        + ", ".join(f"seen({n}): {n}" for n in range(40))
        + "}",
        "[*{seen(1): 2, seen(3): 4}]",
        "seen(2) in {seen(1), seen(2)}",
        "(lambda **kw: kw)(**{seen('a'): seen(1)})",
    ],
)
def test_order_of_events_and_value(agree, expression):
    log = agree(f"{TRACE}\nlog.append(repr({expression}))")
    assert log


@pytest.mark.parametrize(
    "expression",
    [
        "{seen([]): seen(1)}",
        "{seen(1): seen(2), seen([]): seen(3)}",
        "{seen(1), seen([])}",
        "{**seen(5)}",
        "{*seen(5)}",
        "{seen(1): seen(2), **seen('ab')}",
        "{seen([]): seen(1) for v in Loud(1, 2)}",
        "{seen([v]) for v in Loud(1, 2)}",
        "{seen(1): 1 // seen(0)}",
        "{1 // v: v for v in Loud(1, 0)}",
        "{v // 0 for v in Loud(1, 0)}",
    ],
)
def test_errors_are_the_same_at_the_same_place(agree, expression):
    error = agree(f"{TRACE}\ndef f():\n    return {expression}\nf()")
    assert isinstance(error, Exception)
