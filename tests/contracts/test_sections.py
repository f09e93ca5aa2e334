"""Exceptions listed under "Raises" are no surprise; the list is open."""

import pytest

GOOGLE = """Raises:
    ValueError: If it is negative,
        or not.
    KeyError, os.error: Sometimes.
    Remote.NotFound: A class of another module.
    and so on
Returns:
    IndexError: not this one"""

NUMPY = """Raises
------
ValueError
    If it is negative.
KeyError or os.error
    Sometimes.
NotFound : when missing

Returns
-------
IndexError"""


class NotFound(Exception):
    pass


@pytest.mark.parametrize("text", [GOOGLE, NUMPY], ids=["google", "numpy"])
def test_listed_exceptions_are_allowed(contract, text):
    read_contract = contract(text, prelude="import os")
    assert [entry.exception for entry in read_contract.raises] == [
        ValueError, KeyError, OSError, "NotFound",
    ]  # fmt: skip
    for error in (UnicodeError(), KeyError(), NotFound()):
        assert read_contract.allows(error)
    assert not read_contract.allows(IndexError())
    assert not read_contract.closed
    entry = read_contract.enter({"x": 1, "y": 1})
    assert read_contract.violated_raises(entry, IndexError()) is None


@pytest.mark.parametrize(
    "text",
    ["Raises:", "Raises", "Raises: never", "Raises:\n    int: no exception", "Raises\n-----"],
)
def test_prose_declares_nothing(contract, text):
    assert not contract(text).declares_exceptions


def test_a_condition_is_stronger_than_a_list(contract):
    read_contract = contract(":raises: ValueError: x > 0\n\nRaises:\n    ValueError: ever")
    entry = read_contract.enter({"x": 0, "y": 0})
    assert read_contract.violated_raises(entry, ValueError()).text == "x > 0"
    assert read_contract.violated_raises(entry, KeyError()) is not None, "closed by :raises:"
