"""Types of parameters without `:type:`: hints, Sphinx, then what the `def` shows."""

import sys
import typing
from decimal import Decimal
from types import NoneType

import pytest

from pef.contracts import ContractError, ParameterKind, TypeSource, read


def error_of(function):
    with pytest.raises(ContractError) as caught:
        read(function)
    return caught.value


def types_of(function):
    return {each.name: each.alternatives for each in read(function).parameters}


def test_hints_are_taken_apart_into_alternatives(load):
    function = load(
        "import typing\ndef f(a: int, b: 'int | None', c: typing.Optional[bool], d: None,\n"
        "      e: 'list[int]', g: int | str): pass\n"
    )
    assert types_of(function) == {
        "a": (int,),
        "b": (int, NoneType),
        "c": (bool, NoneType),
        "d": (NoneType,),
        "e": (list[int],),
        "g": (int, str),
    }


def test_postponed_hints_and_forward_references_are_resolved(load):
    function = load(
        "from __future__ import annotations\nfrom typing import List, Optional\n"
        "def f(a: Later, b: list['Later'], c: Optional[Later], d: List[Later] | None): pass\n"
        "class Later: pass\n"
    )
    later = function.__globals__["Later"]
    assert types_of(function) == {
        "a": (later,),
        "b": (list[later],),
        "c": (later, NoneType),
        "d": (typing.List[later], NoneType),  # noqa: UP006
    }


def test_a_postponed_hint_sees_captured_classes(load):
    function = load(
        "from __future__ import annotations\ndef outer():\n    class Inner: pass\n"
        "    def f(x: Inner): return Inner\n    return f\nf = outer()\n"
    )
    (parameter,) = read(function).parameters
    assert parameter.alternatives[0].__name__ == "Inner"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with 3.12")
def test_a_postponed_hint_sees_type_parameters(load):
    function = load("from __future__ import annotations\ndef f[T](x: T): pass\n")
    assert types_of(function) == {"x": function.__type_params__}


def test_a_name_imported_for_type_checkers_only_is_imported_for_its_hint(load):
    function = load(
        "from __future__ import annotations\nimport typing\nif typing.TYPE_CHECKING:\n"
        "    from decimal import Decimal\ndef f(a: int, x: list[Decimal]): pass\n"
    )
    assert types_of(function) == {"a": (int,), "x": (list[Decimal],)}
    assert "Decimal" not in function.__globals__


def test_an_unreadable_hint_does_not_matter_where_the_contract_speaks(load):
    function = load("def f(x: 'Nope', y: int):\n    ':type: x: int'\n")
    assert types_of(function) == {"x": (int,), "y": (int,)}


def test_a_hint_that_is_no_type_is_an_error(load):
    error = error_of(load("def f(a: int,\n      x: 'some number'): pass\n"))
    assert error.message.startswith("cannot resolve the type hint of 'x'")
    assert (error.line, error.column) == (2, 10)


def test_annotations_keep_their_constraints(load):
    function = load("from typing import Annotated\ndef f(x: Annotated[int, 'small']): pass\n")
    assert types_of(function) == {"x": (typing.Annotated[int, "small"],)}


def test_hints_of_star_parameters_speak_of_one_argument(load):
    function = load("def f(*args: int, **options: int | str): pass\n")
    assert types_of(function) == {
        "args": (list[int],),
        "options": (dict[str, int | str],),
    }


def test_undeclared_star_parameters_are_a_list_and_a_dict(load):
    parameters = read(load("def f(*args, **options): pass\n")).parameters
    assert [each.alternatives for each in parameters] == [(list,), (dict,)]
    assert {each.source_of_type for each in parameters} == {TypeSource.VARIADIC}


def test_a_default_value_shows_the_type(load):
    parameters = read(load("def f(a=1, b=True, c=None, *, d='x'): pass\n")).parameters
    assert [each.alternatives for each in parameters] == [(int,), (bool,), (NoneType,), (str,)]
    assert {each.source_of_type for each in parameters} == {TypeSource.DEFAULT}


def test_self_is_an_instance_of_its_class(load):
    cls = load(
        "class C:\n    class D:\n        def m(self, x: int): pass\n"
        "    def m(self): pass\n    def __private(self): pass\n"
        "    @staticmethod\n    def s(x: int): pass\n    @classmethod\n    def c(cls): pass\n",
        "C",
    )
    assert read(cls.m).parameters[0].alternatives == (cls,)
    assert read(cls.m).parameters[0].source_of_type is TypeSource.RECEIVER
    assert read(cls.D.m).parameters[0].alternatives == (cls.D,)
    assert read(cls._C__private).parameters[0].alternatives == (cls,)
    assert types_of(cls.s) == {"x": (int,)}
    assert types_of(cls.c) == {}
    assert types_of(cls.__dict__["c"].__func__) == {"cls": (type[cls],)}


def test_a_parameter_without_a_type_is_an_error_that_names_both_ways_to_declare_it(load):
    error = error_of(load("def f(a: int,\n      price): pass\n"))
    assert error.message == "parameter 'price' has no type"
    assert (error.line, error.column) == (2, 7)
    assert "':type: price: int'" in error.hint
    assert "'price: int'" in error.hint


def test_a_static_method_parameter_is_not_a_receiver(load):
    function = load("class C:\n    @staticmethod\n    def s(x): pass\n", "C.s")
    assert error_of(function).message == "parameter 'x' has no type"


def test_a_parameter_called_like_the_result_is_an_error(load):
    error = error_of(load("def f(x: int, returnv: int): pass\n"))
    assert (error.line, error.column) == (1, 15)
    assert "returnv" in error.message


def test_parameters_keep_their_kinds(load):
    parameters = read(load("def f(a=1, /, b=1, *c, d=1, **e): pass\n")).parameters
    assert [each.kind for each in parameters] == list(ParameterKind)


def test_a_decorated_function_is_read_as_written(load):
    function = load(
        "import functools\ndef wrap(g):\n    @functools.wraps(g)\n"
        "    def wrapper(*args, **kwargs): return g(*args, **kwargs)\n    return wrapper\n"
        "@functools.lru_cache\n@wrap\ndef f(x):\n    ':type: x: int\\n:assume: x > 0'\n"
    )
    read_contract = read(function)
    assert types_of(function) == {"x": (int,)}
    assert read_contract.violated_assume({"x": 0}) is not None


def test_what_is_not_a_python_function_is_refused():
    for value in (len, int, 3):
        with pytest.raises(TypeError):
            read(value)


def test_sphinx_types_count_where_there_is_no_hint(contract):
    read_contract = contract(
        ":type x: int or None\n:type y: list of int\n:type z: str\n:param z: text",
        "x, y: bool, z=None",
    )
    x, y, z = read_contract.parameters
    assert (x.alternatives, x.source_of_type) == ((int, NoneType), TypeSource.SPHINX)
    assert (y.alternatives, y.source_of_type) == ((bool,), TypeSource.HINT)
    assert z.alternatives == (str,)


def test_a_sphinx_type_in_prose_is_an_error_where_nothing_else_speaks(contract_error):
    error = contract_error(":type x: list of int", "x")
    assert (error.line, error.column) == (5, 14)


def test_sphinx_may_document_keywords_that_double_star_takes(contract):
    assert contract(":type timeout: int", "**options").parameters[0].alternatives == (dict,)


def test_sphinx_exceptions_are_declared_whenever_they_are_raised(contract):
    read_contract = contract(
        ":raises KeyError, ~os.error: if so\n    inclined\n"
        ":raise KeyError: again\n:except IndexError: too",
        prelude="import os",
    )
    assert [entry.exception for entry in read_contract.raises] == [KeyError, OSError, IndexError]
    entry = read_contract.enter({"x": 0, "y": 0})
    assert read_contract.violated_raises(entry, KeyError()) is None
    assert read_contract.violated_raises(entry, ValueError()) is None, "the list is open"
    assert read_contract.allows(KeyError()) and not read_contract.allows(ValueError())


def test_a_sphinx_exception_that_the_module_does_not_see_is_known_by_its_name(contract):
    read_contract = contract(":raises requests.HTTPError: when refused\n:raises Nope: never")
    assert [entry.exception for entry in read_contract.raises] == ["HTTPError", "Nope"]
    assert read_contract.allows(type("Special", (type("HTTPError", (Exception,), {}),), {})())
    assert not read_contract.allows(ValueError())


def test_a_condition_outranks_the_unconditional_sphinx_entry(contract):
    read_contract = contract(":raises KeyError: if bad\n:raises: KeyError: x > 0")
    entry = read_contract.enter({"x": 0, "y": 0})
    assert read_contract.violated_raises(entry, KeyError()).text == "x > 0"
