"""The parameters of a function are those that `inspect` shows."""

import abc
import dataclasses
import functools
import importlib
import inspect
from types import FunctionType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pef.contracts.signature import Empty, bound, parameters_of, stored, unwrapped


def shown_by_inspect(function):
    def known(value):
        return Empty if value is inspect.Parameter.empty else value

    return [
        (each.name, each.kind.name, known(each.default), known(each.annotation))
        for each in inspect.signature(function).parameters.values()
    ]


def shown(function):
    return [(name, each.kind.name, *each[2:]) for name, each in parameters_of(function).items()]


def several(a, /, b: int, c=1, *rest: str, d: "int", e=2, **more):
    """Has every kind of parameter."""


class Kind:
    def method(self, x, y=1): ...

    def with_any(*everything): ...

    @classmethod
    def made(cls, x): ...

    @staticmethod
    def free(x): ...


@functools.wraps(several)
def wrapped(*args, **kwargs): ...


def in_wrapper(function, **attributes):
    @functools.wraps(function)
    def outer(*args, **kwargs): ...

    vars(outer).update(attributes)
    return outer


class Made:
    def __init__(self, x: int, *rest, y="y"): ...


class Below(Made): ...


class InWrapper:
    __init__ = in_wrapper(in_wrapper(Made.__init__))


class Counting(type):
    def __call__(cls, how_many): ...


class MadeByItsClass(Made, metaclass=Counting): ...


class MadeByNew(Made):
    def __new__(cls, x, z): ...


class WithoutReceiver:
    def __init__(*everything): ...


class Described:
    __signature__ = inspect.signature(several)

    def __init__(self, x): ...


class Table(dict):
    def __init__(self, size): ...


@pytest.mark.parametrize(
    "function",
    [
        *(several, wrapped, functools.partial(several, 1), len, Kind, Kind.method, Kind.made),
        *(Kind.free, Kind().method, Kind().with_any, Kind().made, lambda: 0),
        *(in_wrapper(wrapped), in_wrapper(len), in_wrapper(functools.partial(several, 1))),
        *(in_wrapper(Kind().method), in_wrapper(Made), in_wrapper(several, __wrapped__=wrapped)),
        in_wrapper(wrapped, __signature__=inspect.signature(Kind.method)),
        in_wrapper(in_wrapper(several, __signature__=inspect.signature(Kind.method))),
        *(Made, Below, InWrapper, MadeByItsClass, MadeByNew, WithoutReceiver, Described, Table),
        *(dataclasses.make_dataclass("Point", [("x", int), ("y", int, 3)]), abc.ABC),
    ],
)
def test_every_kind_of_parameter_is_described(function):
    assert shown(function) == shown_by_inspect(function)


@pytest.mark.parametrize(
    "name", ["argparse", "decimal", "logging", "re", "typing", "unittest.mock"]
)
def test_functions_of_the_standard_library_are_described_alike(name):
    module = importlib.import_module(name)
    kinds = [each for each in vars(module).values() if isinstance(each, type)]
    owned = [each for kind in kinds for each in vars(kind).values()]
    functions = [
        each for each in (*vars(module).values(), *owned) if isinstance(each, FunctionType)
    ]
    assert functions
    for function in functions:
        assert shown(function) == shown_by_inspect(function), function


def test_a_method_without_parameters_is_refused_as_by_inspect():
    class Odd:
        def method(): ...

    with pytest.raises(ValueError, match="invalid method signature"):
        parameters_of(Odd().method)


def test_a_wrapper_loop_is_refused_as_by_inspect():
    def circle(): ...

    circle.__wrapped__ = in_wrapper(circle)
    with pytest.raises(ValueError, match="wrapper loop"):
        parameters_of(circle)


def test_wrappers_are_taken_off_until_they_go_in_circles():
    assert unwrapped(wrapped) is several
    wrapped_twice = functools.wraps(wrapped)(lambda: 0)
    assert unwrapped(wrapped_twice) is several

    def circle(): ...

    circle.__wrapped__ = circle
    with pytest.raises(ValueError, match="wrapper loop"):
        unwrapped(circle)


def test_an_attribute_is_found_unbound_where_it_is_stored():
    class Below(Kind):
        pass

    assert stored(Below, "made") is vars(Kind)["made"]
    assert stored(Below, "nothing") is None


SHAPES = [
    lambda: None,
    lambda a: None,
    lambda a, b=2: None,
    lambda a, /, b: None,
    lambda a, /, a1=1, *rest: None,
    lambda *rest, key: None,
    lambda a, *, key=5, **others: None,
    lambda a=1, *rest, key=2, **others: None,
]


@given(
    st.sampled_from(SHAPES),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.sampled_from(["a", "a1", "b", "key", "other"]), st.integers(), max_size=3),
)
def test_arguments_are_bound_as_inspect_does(function, args, kwargs):
    try:
        expected = inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        with pytest.raises(TypeError):
            bound(function, args, kwargs)
        return
    expected.apply_defaults()
    assert bound(function, args, kwargs) == expected.arguments
