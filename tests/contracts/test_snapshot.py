"""Entry values: the object itself while it is unchanged, else a copy from before the change."""

import collections

import pytest

from pef.contracts.snapshot import Snapshot


class Plain:
    def __init__(self, *parts):
        self.parts = list(parts)


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


class OwnCopy:
    def __deepcopy__(self, memo):
        return OwnCopy()


def cycle():
    items = [1]
    items.append(items)
    return items


UNCHANGED = [
    [1, [2, 3]],
    (1, [2]),
    {"a": [1], 2: {3: 4}},
    {1, 2, 3},
    frozenset([("a", "b"), ("c", "d")]),
    Plain(1, Plain(2)),
    Slotted([1]),
    collections.OrderedDict(a=[1]),
    collections.deque([1, [2]]),
    cycle(),
    10**30,
    "text",
    None,
    len,
    Plain,
]


@pytest.mark.parametrize("value", UNCHANGED, ids=lambda value: type(value).__name__)
def test_an_unchanged_value_stays_itself(value):
    assert Snapshot({"x": value}).read()["x"] is value


def inner_append(value):
    value[1].append(4)


CHANGES = [
    ([1, [2, 3]], inner_append, [1, [2, 3]]),
    ((1, [2]), inner_append, (1, [2])),
    ([1000], lambda value: value.__setitem__(0, 1001), [1000]),
    ({"a": 1}, lambda value: value.update(b=2), {"a": 1}),
    ({"a": 1}, lambda value: value.update(a=2), {"a": 1}),
    ({1, 2}, lambda value: value.add(3), {1, 2}),
    ([1, 2], lambda value: value.reverse(), [1, 2]),
    (collections.deque([1]), lambda value: value.append(2), collections.deque([1])),
    (collections.Counter("aa"), lambda value: value.update("b"), collections.Counter("aa")),
    (bytearray(b"ab"), lambda value: value.append(1), bytearray(b"ab")),
]


@pytest.mark.parametrize(("value", "change", "before"), CHANGES)
def test_a_changed_value_is_what_it_was(value, change, before):
    snapshot = Snapshot({"x": value})
    change(value)
    assert snapshot.read()["x"] == before


def test_a_changed_attribute_is_seen():
    plain, slotted = Plain(1), Slotted(1)
    snapshot = Snapshot({"plain": plain, "slotted": slotted})
    plain.more, slotted.value = 1, 2
    values = snapshot.read()
    assert not hasattr(values["plain"], "more")
    assert values["slotted"].value == 1


def test_values_copied_together_go_on_sharing():
    shared = [1]
    snapshot = Snapshot({"a": [shared], "b": [shared]})
    shared.append(2)
    values = snapshot.read()
    assert values["a"][0] is values["b"][0] == [1]


def test_an_object_that_copies_itself_its_own_way_is_trusted_to():
    value = OwnCopy()
    assert Snapshot({"x": value}).read()["x"] is not value


def test_equality_of_leaves_is_never_asked():
    class Leaf:
        def __deepcopy__(self, memo):
            return self

        def __eq__(self, other):
            raise AssertionError

        __hash__ = None

    items = [Leaf(), Leaf()]
    snapshot = Snapshot({"x": items})
    assert snapshot.read()["x"] is items
    items.pop()
    assert len(snapshot.read()["x"]) == 2
