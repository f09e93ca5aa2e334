"""`functools.lru_cache` and `cache`: which of the earlier calls had the same arguments.

The C code hashes the arguments, which pins them. In a run the calls are remembered here, under
arguments that may be symbolic; only what no earlier call of the run answers goes on, to the
function or, if all is plain, to the C code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from pef import _native
from pef._native import dict_del, dict_get, dict_set, find_key, is_symbolic


class _Calls:
    """The calls of one cached function in one run."""

    def __init__(self, run: int) -> None:
        self.run = run
        self.results: dict[Any, Any] = {}
        self.are_plain = True
        """Whether the C code has seen them all."""


_remembered: WeakKeyDictionary[Any, _Calls] = WeakKeyDictionary()


def cached(wrapper: Any) -> Callable[..., Any]:
    """What is called instead of a cached function."""

    def call(*given: Any, **named: Any) -> Any:
        calls = _calls(wrapper)
        if any(map(_is_symbolic, (*given, *named.values()))):
            calls.are_plain = False
        return _called(wrapper, calls, given, named)

    return call


def _is_symbolic(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(map(_is_symbolic, value))
    return is_symbolic(value)


def _calls(wrapper: Any) -> _Calls:
    calls = _remembered.get(wrapper)
    if calls is None or calls.run != _native.run_number():
        calls = _remembered[wrapper] = _Calls(_native.run_number())
    return calls


def _called(wrapper: Any, calls: _Calls, given: Any, named: dict[str, Any]) -> Any:
    parameters, results = wrapper.cache_parameters(), calls.results
    function = wrapper if calls.are_plain else _native.__pef_sel__(wrapper.__wrapped__)
    if parameters["maxsize"] == 0:
        return function(*given, **named)
    key = _key(given, named, parameters["typed"])
    found = find_key(results, key)
    if found is not None:
        result = dict_get(results, found[0])
        dict_del(results, found[0])
        dict_set(results, found[0], result)
        return result
    result = function(*given, **named)
    if parameters["maxsize"] is not None and len(results) >= parameters["maxsize"]:
        dict_del(results, next(iter(results)))
    dict_set(results, key, result)
    return result


def _key(given: tuple[Any, ...], named: dict[str, Any], typed: bool) -> tuple[Any, ...]:
    """As `functools._make_key`, where a lone int or str is not equal to a float or bool."""
    kinds = tuple(map(_native.model_type, (*given, *named.values())))
    if len(given) == 1 and not named and not typed and kinds[0] in (int, str):
        return ("alone", given[0])
    key: tuple[Any, ...] = (given, tuple(named.items()))
    return (*key, kinds) if typed else key
