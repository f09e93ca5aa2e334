"""The values of each type: that they are of it, and that they can be written down."""

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import math
import re
from random import Random
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypedDict

import pytest

from pef.contracts import read
from pef.inputs.forms import UnsupportedInputError
from pef.inputs.recipes import Names
from pef.scout.compound import Excluded
from pef.scout.forms import Parameters
from pef.scout.patterns import parsed
from pef.scout.samples import Source
from pef.scout.text import smaller_text
from pef.scout.words import Group, Words


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Pair(NamedTuple):
    left: int
    right: str


@dataclasses.dataclass
class Node:
    label: str
    numbers: list[int]
    parent: Optional["Node"] = None


class Settings(TypedDict, total=False):
    name: str
    size: int


@dataclasses.dataclass(frozen=True)
class AtLeast:
    ge: int


def is_list_of(kind):
    return lambda value: type(value) is list and all(type(each) is kind for each in value)


FORMS = {
    "int": (int, lambda value: type(value) is int),
    "bool": (bool, lambda value: type(value) is bool),
    "float": (float, lambda value: type(value) is float),
    "str": (str, lambda value: type(value) is str),
    "bytes": (bytes, lambda value: type(value) is bytes),
    "none": (type(None), lambda value: value is None),
    "list": (list[str], is_list_of(str)),
    "texts and numbers": (
        dict[str, list[int]],
        lambda value: all(type(k) is str and is_list_of(int)(v) for k, v in value.items()),
    ),
    "nested": (list[list[int]], lambda value: all(map(is_list_of(int), value))),
    "dict": (
        dict[str, int],
        lambda value: all(type(k) is str and type(v) is int for k, v in value.items()),
    ),
    "set": (set[int], lambda value: type(value) is set),
    "frozenset": (frozenset[str], lambda value: type(value) is frozenset),
    "pair": (tuple[int, str], lambda value: [type(each) for each in value] == [int, str]),
    "tuple": (tuple[int, ...], lambda value: type(value) is tuple),
    "union": (int | str, lambda value: type(value) in (int, str)),
    "optional": (bytes | None, lambda value: value is None or type(value) is bytes),
    "literal": (Literal["a", 1], lambda value: value in ("a", 1)),
    "enum": (Color, lambda value: isinstance(value, Color)),
    "named tuple": (Pair, lambda value: type(value) is Pair and type(value.left) is int),
    "dataclass": (Node, lambda value: type(value) is Node and type(value.label) is str),
    "typed dict": (Settings, lambda value: set(value) <= {"name", "size"}),
    "date": (datetime.date, lambda value: type(value) is datetime.date),
    "datetime": (datetime.datetime, lambda value: type(value) is datetime.datetime),
    "fraction": (fractions.Fraction, lambda value: type(value) is fractions.Fraction),
    "decimal": (decimal.Decimal, lambda value: type(value) is decimal.Decimal),
    "deque": (collections.deque[int], lambda value: type(value) is collections.deque),
    "annotated": (Annotated[int, AtLeast(3)], lambda value: value >= 3),
    "any": (Any, lambda value: True),
}


def shape_of(form):
    def target(x):
        return x

    target.__annotations__["x"] = form
    return Parameters(target, read(target)).shape


def samples_of(shape):
    words = Words()
    words.learn(Group(["key", "=", "\ud800"], [7, 0.5], [parsed(r"[a-c]{2,3}-\d+")]))
    source = Source(Random(1), words)
    samples = list(shape.simple())
    for _ in range(150):
        drawn = shape.draw(source)
        samples += [drawn, drawn.mutated(source), drawn.mutated(source).mutated(source)]
        samples += list(drawn.smaller())[:5]
        samples += list(drawn.extended(["key", ";"]))[:6]
    return samples


def is_same(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (math.isnan(one) and math.isnan(other))
    return one == other


@pytest.mark.parametrize("name", FORMS)
def test_samples_are_of_their_type_and_their_source_evaluates_back(name):
    form, is_of_form = FORMS[name]
    names = Names(globals())
    built = 0
    for sample in samples_of(shape_of(form)):
        recipe = sample.content[0].recipe()
        try:
            value = recipe.value()
        except (Excluded, ValueError, OverflowError, ZeroDivisionError):
            continue  # what a constructor refuses is no input
        built += 1
        assert is_of_form(value), value
        source = recipe.source(names)
        if name not in ("any", "union"):
            assert is_same(eval(source, dict(globals())), value), source
    assert built > (0 if name in ("none", "datetime") else 1)


def test_every_value_is_built_anew():
    sample = next(each for each in shape_of(list[int]).simple() if each.content[0].content)
    recipe = sample.content[0].recipe()
    recipe.value().append(None)
    assert None not in recipe.value()


def test_nasty_values_come_early():
    first = [sample.content[0].content for sample in shape_of(str).simple()[:60]]
    assert first[:4] == ["", " ", "a", "0"]
    assert {"\n", "\r", "'", '"', "\\", "[", "{"} <= set(first)
    floats = [sample.content[0].content for sample in shape_of(float).simple()[:10]]
    assert math.inf in floats
    assert any(map(math.isnan, floats))


def test_a_code_that_mentions_zero_gets_no_negative_length():
    words = Words()
    words.learn(Group([], [0], []))
    random = Random(0)
    lengths = {words.length(random) for _ in range(500)}
    assert 0 in lengths
    assert min(lengths) >= 0


def test_a_type_without_inputs_is_refused_by_name():
    with pytest.raises(UnsupportedInputError, match="'x'"):
        shape_of(type(re))


def test_recursive_types_have_finite_samples():
    source = Source(Random(3), Words())
    shape = shape_of(Node)
    assert max(shape.draw(source).weight() for _ in range(200)) < 10_000


@pytest.mark.parametrize("text", ["", "a", "[[", "key = 1", "\ud800\n"])
def test_smaller_texts_never_come_back_to_the_same(text):
    rank = {"a": 0, "0": 1, " ": 2}

    def size(value):
        return len(value), [rank.get(character, 3) for character in value]

    assert all(size(smaller) < size(text) for smaller in smaller_text(text))


PATTERNS = [
    r"\d{4}-\d\d-\d\d",
    r"(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<value>.+)",
    r"[^,;]+(?:,[^,;]+)*",
    r"(a|bc|def){2}\1",
    r"\$?[A-Z]{2}(?i:x)y?z*?",
    r"^\s*#.*$",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_texts_of_a_pattern_match_it(pattern):
    drawn = parsed(pattern)
    random = Random(0)
    texts = {drawn.text(random, lambda: "word") for _ in range(50)}
    assert len(texts) > 1
    assert all(re.fullmatch(pattern, text) for text in texts)


def test_words_are_used_inside_patterns():
    drawn = parsed(r"<\w+>")
    texts = {drawn.text(Random(seed), lambda: "word") for seed in range(40)}
    assert "<word>" in texts
    assert "<no word>" not in {drawn.text(Random(seed), lambda: "no word") for seed in range(40)}


def test_what_is_no_pattern_gives_none():
    assert parsed("(") is None
