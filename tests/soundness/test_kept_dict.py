"""A dict that is known by its version is put back after every change, whoever makes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pef._native import KeptDict

KEYS = ["a", "b", "c", 1, (2,)]
keys = st.sampled_from(KEYS)
values = st.sampled_from([0, 1, "text", None, 10**20])
CHANGES = {
    "set": lambda d, k, v: d.__setitem__(k, v),
    "delete": lambda d, k, v: d.pop(k, None),
    "default": lambda d, k, v: d.setdefault(k, v),
    "update": lambda d, k, v: d.update({k: v, "a": v}),
    "merge": lambda d, k, v: d.__ior__({k: v}),
    "last": lambda d, k, v: d.popitem() if d else None,
    "clear": lambda d, k, v: d.clear(),
    "again": lambda d, k, v: d.__setitem__(k, d[k]) if k in d else None,
    "move": lambda d, k, v: d.__setitem__(k, d.pop(k)) if k in d else None,
    "read": lambda d, k, v: d.get(k),
    "store": lambda d, k, v: exec("a = other", {"other": v}, d),
    "unstore": lambda d, k, v: exec("a = 1; del a", {}, d),
}
changes = st.lists(st.tuples(st.sampled_from(sorted(CHANGES)), keys, values), max_size=6)


class Thing:
    """Has a dict of its own kind."""


def a_dict():
    return {}


def a_namespace():
    return vars(type(pytest)("name"))


def attributes_few():
    return vars(Thing())


def attributes_many():
    thing = Thing()
    for number in range(60):  # more than keys can be shared for
        setattr(thing, f"n{number}", number)
    return vars(thing)


MAKERS = [a_dict, a_namespace, attributes_few, attributes_many]


def identities(some):
    return [(id(key), id(value)) for key, value in some.items()]


@pytest.mark.parametrize("make", MAKERS)
@given(start=st.dictionaries(keys, values), rounds=st.lists(changes, max_size=4))
def test_it_is_put_back_and_knows_whether_it_has_to_be(make, start, rounds):
    some = make()
    some.update(start)
    before, text = identities(some), dict(some)
    kept = KeptDict(some)
    for made in rounds:
        for name, key, value in made:
            CHANGES[name](some, key, value)
            assert kept.is_as_it_was() == (identities(some) == before), name
        kept.restore()
        assert some == text and identities(some) == before
        assert kept.is_as_it_was()


def put(thing, value):
    thing.x = value


@pytest.mark.parametrize("attributes", [0, 1, 5, 60])
@pytest.mark.parametrize("look_before", [False, True])
def test_an_attribute_is_seen_to_change_in_a_loop_that_the_interpreter_knows(
    attributes, look_before
):
    things = [Thing() for _ in range(20)]
    for thing in things:
        for number in range(attributes):
            setattr(thing, f"n{number}", number)
        thing.x = 0
        if look_before:
            assert vars(thing)["x"] == 0
    for _ in range(200):
        for thing in things:
            put(thing, 0)
    kept = [KeptDict(vars(thing)) for thing in things]
    for value in (1, 2, 3):
        for thing in things:
            put(thing, value)
        assert not any(each.is_as_it_was() for each in kept)
        for each in kept:
            each.restore()
        assert all(thing.x == 0 for thing in things)
        assert all(each.is_as_it_was() for each in kept)


counter = 0


def count():
    global counter
    counter += 1


def test_a_global_is_seen_to_change_in_a_loop_that_the_interpreter_knows():
    for _ in range(100):
        count()
    before = counter
    kept = KeptDict(globals())
    for _ in range(100):
        count()
        assert not kept.is_as_it_was()
        kept.restore()
        assert counter == before
