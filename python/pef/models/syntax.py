"""Functions that are syntax by another name: `operator.is_` is `is`, with the same answer."""

from __future__ import annotations

from typing import Any

from pef import _native


def contains(container: Any, item: Any, /) -> bool:
    """`operator.contains`, which gives a plain bool."""
    return bool(_native.__pef_in__(item, container))


def getitem(container: Any, key: Any, /) -> Any:
    """`operator.getitem`."""
    return _native.__pef_getitem__(container, key)


def is_(left: Any, right: Any, /) -> Any:
    """`operator.is_`."""
    return _native.__pef_is__(left, right)


def is_not(left: Any, right: Any, /) -> Any:
    """`operator.is_not`."""
    return _native.__pef_is_not__(left, right)


def iter_model(*arguments: Any) -> Any:
    """`iter`; of its two forms one calls a function."""
    if len(arguments) == 2:
        return iter(_native.__pef_sel__(arguments[0]), arguments[1])
    return iter(*arguments)


def make_instance(cls: type, /, *arguments: Any, **named: Any) -> Any:
    """`type.__call__`, with which a metaclass makes an instance after all."""
    make = type.__call__.__get__(cls)
    return _native.__pef_sel__(make)(*arguments, **named)
