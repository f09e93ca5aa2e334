"""The table of operations is complete, and the documentation is made from it."""

from pathlib import Path

import pytest

from pef.models.table import operations

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "models.md"

OBJECTS_OWN = {name for name in dir(object) if name not in ("__eq__", "__hash__", "__repr__")}
"""What every object has and `int` does not change."""


@pytest.mark.parametrize("kind", [int, bool])
def test_every_attribute_is_in_the_table(kind):
    names = {row.name for row in operations() if row.type in ("int", kind.__name__)}
    names |= {f"__r{name[2:]}" for name in names if name.startswith("__")}
    names |= {"__str__", "__reduce_ex__", "__getstate__"} if "__reduce__" in names else set()
    missing = set(dir(kind)) - names - OBJECTS_OWN
    assert not missing


def test_the_documentation_is_up_to_date():
    from pef.selftest.documentation import text

    assert DOCUMENTATION.read_text(encoding="utf-8") == text()


def test_every_reason_is_given():
    for row in operations():
        assert row.treatment.value == "modelled" or row.reason, (row.type, row.name)
