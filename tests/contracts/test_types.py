"""Types of parameters, from docstrings."""

import collections.abc
import enum
import sys
import typing
from types import NoneType

import pytest

from pef.contracts import TypeSource, read

PRELUDE = """
import collections, collections.abc, enum, typing
from typing import NewType, Union
class Point: pass
class Color(enum.Enum): RED = 1
Number = Union[int, float]
Name = NewType("Name", str)
Later = "Point"
"""

FORMS = {
    "int": (int,),
    "[int, str]": (int, str),
    "None": (NoneType,),
    "NoneType": (NoneType,),
    "[Point, NoneType]": ("Point", NoneType),
    "list[int]": (list[int],),
    "dict[str, int]": (dict[str, int],),
    "Optional[int]": (int, NoneType),
    "typing.Optional[int]": (int, NoneType),
    "Union[int, str, None]": (int, str, NoneType),
    "int | None": (int, NoneType),
    "int | str | None": (int, str, NoneType),
    "[int | str, None, int]": (int, str, NoneType),
    "'Point'": ("Point",),
    "'Point' | None": ("Point", NoneType),
    "Later": ("Point",),
    "list['Point']": ("list[Point]",),
    "list[int | None]": (list[int | None],),
    "dict[str, [int, str]]": (dict[str, int | str],),
    "collections.OrderedDict": (collections.OrderedDict,),
    "tuple[int, ...]": (tuple[int, ...],),
    "tuple[int, str]": (tuple[int, str],),
    "Callable[[int, str], bool]": (typing.Callable[[int, str], bool],),
    "Callable[..., int]": (typing.Callable[..., int],),
    "collections.abc.Callable[[], None]": (collections.abc.Callable[[], NoneType],),
    "Literal[1, 'a', -2]": (typing.Literal[1, "a", -2],),
    "Number": (int, float),
    "Name": (str,),
    "Any": (typing.Any,),
    "Annotated[int, 'positive']": (typing.Annotated[int, "positive"],),
    "'list[int] | None'": (list[int], NoneType),
}


@pytest.mark.parametrize("text", FORMS)
def test_a_type_means_what_python_means_by_it(load, text):
    function = load(f'{PRELUDE}\ndef f(x):\n    """:type: x: {text}"""\n')
    point = function.__globals__["Point"]
    expected = {"Point": point, "list[Point]": list[point]}
    (parameter,) = read(function).parameters
    assert parameter.alternatives == tuple(
        expected[each] if isinstance(each, str) else each for each in FORMS[text]
    )
    assert parameter.source_of_type is TypeSource.CONTRACT


def test_an_enum_member_can_be_a_literal(load):
    function = load(f"{PRELUDE}\ndef f(x):\n    ':type: x: Literal[Color.RED]'\n")
    (alternative,) = read(function).parameters[0].alternatives
    assert isinstance(typing.get_args(alternative)[0], enum.Enum)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the type statement came with 3.12")
def test_a_type_statement_is_seen_through(load):
    function = load("type Number = int | str\ndef f(x: Number, y):\n    ':type: y: Number'\n")
    assert [each.alternatives for each in read(function).parameters] == [(int, str), (int, str)]


def test_a_class_defined_after_the_function_is_known(load):
    function = load("def f(x):\n    ':type: x: Later'\nclass Later: pass\n")
    assert read(function).parameters[0].alternatives == (function.__globals__["Later"],)


def test_a_contract_outranks_a_hint(contract):
    read_contract = contract(":type: x: bool", "x: int, y: int = 0")
    first, second = read_contract.parameters
    assert (first.alternatives, first.source_of_type) == ((bool,), TypeSource.CONTRACT)
    assert (second.alternatives, second.source_of_type) == ((int,), TypeSource.HINT)


def test_every_combination_of_alternatives_comes_first_alternative_first(contract):
    read_contract = contract(":type: a: [int, list], b: [int, list]", "a, b")
    assert list(read_contract.combinations()) == [
        (int, int),
        (int, list),
        (list, int),
        (list, list),
    ]


def test_types_of_star_parameters_are_those_of_the_whole(contract):
    read_contract = contract(":type: args: int, options: [int, str]", "*args, **options")
    args, options = read_contract.parameters
    assert args.alternatives == (list[int],)
    assert options.alternatives == (dict[str, int | str],)
    read_contract = contract(":type: args: list[int], options: dict[str, int]", "*args, **options")
    args, options = read_contract.parameters
    assert (args.alternatives, options.alternatives) == ((list[int],), (dict[str, int],))
