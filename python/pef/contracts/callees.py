"""Contracts of called functions: a call against an assumption is an error of the caller.

For as long as a function is analysed, every function of the project that assumes something is
replaced, in modules and classes, by one that looks at its arguments first. The plain process does
the same when it judges such a call, so both see the same. A reference kept elsewhere (a default
value, a table) is called unchecked. Leading asserts are left alone: they raise by themselves.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any

from pef.contracts.compiling import Transform
from pef.contracts.contract import Contract
from pef.contracts.errors import ContractError, ContractEvaluationError, PreconditionBroken
from pef.contracts.form import Clause, ClauseKind
from pef.contracts.layers import DEAL, ICONTRACT, is_made_by, layers
from pef.contracts.reader import read
from pef.contracts.signature import bound
from pef.records import replace

Namespace = dict[str, Any]


class CheckedCallees:
    """The functions of some modules that check their callers, from now until `restore`."""

    def __init__(
        self,
        namespaces: Iterable[Namespace],
        transform: Transform | None = None,
        select: Callable[[Any], Any] = lambda function: function,
    ) -> None:
        """`select` gives what to call for a function: itself, or what can take symbolic values."""
        self._transform = transform
        self._select = select
        self._checked: dict[FunctionType, Any] = {}
        self._undo: list[Callable[[], object]] = []
        spaces = list({id(each): each for each in namespaces}.values())
        for namespace in spaces:
            self._replace_in(namespace)
        for kind in _classes(spaces):
            self._replace_methods(kind)

    def __bool__(self) -> bool:
        return bool(self._undo)

    def restore(self) -> None:
        """Puts the functions back."""
        while self._undo:
            self._undo.pop()()

    def _replace_in(self, namespace: Namespace) -> None:
        for name, value in list(namespace.items()):
            checked = self._checking(value)
            if checked is not value:
                namespace[name] = checked
                self._undo.append(functools.partial(namespace.__setitem__, name, value))

    def _replace_methods(self, kind: type) -> None:
        for name, value in list(vars(kind).items()):
            wrap: Any = type(value) if isinstance(value, (staticmethod, classmethod)) else None
            function = value.__func__ if wrap is not None else value
            checked = self._checking(function)
            if checked is not function:
                setattr(kind, name, checked if wrap is None else wrap(checked))
                self._undo.append(functools.partial(setattr, kind, name, value))

    def _checking(self, function: Any) -> Any:
        """What to have in the place of a function; itself if it assumes nothing."""
        if not isinstance(function, FunctionType) or not _may_assume(function):
            return function
        if function not in self._checked:
            self._checked[function] = self._around(function)
        return self._checked[function]

    def _around(self, function: FunctionType) -> Any:
        assumptions = _Assumptions(function, self._transform)
        select = self._select

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            broken = assumptions.violated(args, kwargs)
            if broken is not None:
                raise PreconditionBroken(broken, function.__qualname__)
            return select(function)(*args, **kwargs)

        return checked


class _Assumptions:
    """What a function assumes, read when it is first called: most are not called in a run."""

    def __init__(self, function: FunctionType, transform: Transform | None) -> None:
        self._function = function
        self._transform = transform

    def violated(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Clause | None:
        """The first assumption a call breaks; None also for a call that cannot be judged."""
        contract = self._contract
        if contract is None:
            return None
        try:
            arguments = bound(self._function, args, kwargs)
        except TypeError:
            return None
        try:
            broken = contract.violated_assume(arguments)
        except ContractEvaluationError:
            return None
        return None if broken is None or broken.raised is not None else broken

    @functools.cached_property
    def _contract(self) -> Contract | None:
        try:
            contract = read(self._function, self._transform)
        except (ContractError, TypeError):
            return None  # said when the function itself is analysed; or a wrapped slot of C
        assumes = tuple(
            replace(clause, kind=ClauseKind.PRECONDITION)
            for clause in contract.assumes
            if clause.kind is ClauseKind.ASSUME and not clause.repeated
        )
        return replace(contract, assumes=assumes) if assumes else None


def _may_assume(function: FunctionType) -> bool:
    text = function.__doc__ or ""
    if ":assume:" in text or ("pre:" in text and re.search(r"(?m)^\s*pre:", text)):
        return True
    makers = (ICONTRACT, DEAL)
    return any(is_made_by(layer, each) for layer in layers(function) for each in makers)


def _classes(namespaces: list[Namespace]) -> Iterator[type]:
    """The classes that some of the modules define, those inside of classes too."""
    pending: list[Any] = [value for each in namespaces for value in each.values()]
    names = {each.get("__name__") for each in namespaces}
    seen: set[type] = set()
    while pending:
        value = pending.pop()
        if isinstance(value, type) and value not in seen and value.__module__ in names:
            seen.add(value)
            yield value
            pending += vars(value).values()
