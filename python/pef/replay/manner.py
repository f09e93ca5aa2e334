"""What it takes, beyond a call, to see what a function does.

Calling a generator or coroutine function runs none of its body, and a property is not called at
all. So a generator is consumed, a coroutine run to its end, a property read; and the call is
written down the way a person would have to write it. The engine and the replay both come here.

A generator that wants to be sent something, as its annotation says, cannot be consumed: what it
does up to its first item is all there is to see.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Mapping, Sequence
from functools import cached_property
from keyword import iskeyword
from types import AsyncGeneratorType, CoroutineType, FunctionType, GeneratorType, NoneType
from typing import Any, Literal

Manner = Literal[
    "plain", "property", "generator", "endless", "receiver", "coroutine", "async-generator"
]

MOST_ITEMS = 1000
"""A generator that yields more is left alone then, and called endless."""

_WRITTEN: dict[Manner, str] = {
    "generator": "list({})",
    "endless": f"list(itertools.islice({{}}, {MOST_ITEMS}))",
    "receiver": "list(itertools.islice({}, 1))",
    "coroutine": "asyncio.run({})",
    "async-generator": "[item async for item in {}]",
}
_IMPORTED: dict[Manner, str] = {
    "endless": "itertools",
    "receiver": "itertools",
    "coroutine": "asyncio",
}
_IS_GENERATOR = 0x20
"""As `inspect.CO_GENERATOR`."""


class Settled:
    """A function that is called and whose result is then brought to its end."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        self._receives = _receives(function)
        self.manner: Manner = "plain"
        """What the last call took."""
        self.manners: set[Manner] = set()
        """What calls took that did not see all there is."""

    def __call__(self, *args: Any, **kwargs: Any) -> object:
        """Call the function; the items of a generator, the result of a coroutine."""
        self.manner = "plain"
        result = self._function(*args, **kwargs)
        if isinstance(result, GeneratorType):
            if self._receives:
                self.manner = "receiver"
                self.manners.add(self.manner)
                return [item for _, item in zip((None,), result, strict=False)]
            self.manner = "generator"
            return self._items(result)
        if isinstance(result, CoroutineType):
            self.manner = "coroutine"
            return _run(result)
        if isinstance(result, AsyncGeneratorType):
            self.manner = "async-generator"
            return _run(self._items_later(result))
        return result

    def _items(self, generator: Generator[object, None, object]) -> list[object]:
        items: list[object] = []
        for item in generator:
            if len(items) == MOST_ITEMS:
                self.manner = "endless"
                self.manners.add(self.manner)
                generator.close()
                break
            items.append(item)
        return items

    async def _items_later(self, generator: AsyncGenerator[object, None]) -> list[object]:
        items: list[object] = []
        async for item in generator:
            if len(items) == MOST_ITEMS:
                self.manner = "endless"
                self.manners.add(self.manner)
                await generator.aclose()
                break
            items.append(item)
        return items


def _receives(function: Callable[..., object]) -> bool:
    """Whether a generator function is annotated with the type of what is sent to it."""
    code = getattr(function, "__code__", None)
    if code is None or not code.co_flags & _IS_GENERATOR:
        return False
    form = getattr(function, "__annotations__", {}).get("return")
    if isinstance(form, str):
        try:
            form = eval(form, getattr(function, "__globals__", {}))
        except Exception:  # a name that only a type checker knows
            return False
    arguments: tuple[object, ...] = getattr(form, "__args__", ())
    if getattr(form, "__origin__", None) is not Generator or len(arguments) != 3:
        return False
    return arguments[1] not in (None, NoneType, object, Any)


def _run(coroutine: Coroutine[object, object, object]) -> object:
    """As `asyncio.run`, which would also set a signal handler and print the result to do so."""
    import asyncio

    loop = asyncio.new_event_loop()
    try:
        asyncio.set_event_loop(loop)
        return loop.run_until_complete(coroutine)
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(loop.shutdown_asyncgens())
        asyncio.set_event_loop(None)
        loop.close()


def written(name: str, args: Sequence[str], kwargs: Mapping[str, str], manner: Manner) -> str:
    """The call as source.

    >>> written("Point.length", ["Point(3, 4)"], {}, "property")
    'Point(3, 4).length'
    >>> written("primes", ["7"], {}, "generator")
    'list(primes(7))'
    >>> written("Point.__init__", ["Point.__new__(Point)", "3", "4"], {}, "plain")
    'Point(3, 4)'
    """
    owner, _, last = name.rpartition(".")
    if manner == "property" and args:
        return f"{args[0]}.{last}"
    if last == "__init__" and args and args[0] == f"{owner}.__new__({owner})":
        name, args = owner, args[1:]
    names = [f"{each}={value}" for each, value in kwargs.items() if _is_name(each)]
    others = [f"{each!r}: {value}" for each, value in kwargs.items() if not _is_name(each)]
    rest = [f"**{{{', '.join(others)}}}"] if others else []
    call = f"{name}({', '.join([*args, *names, *rest])})"
    return _WRITTEN.get(manner, "{}").replace("{}", call)


def _is_name(text: str) -> bool:
    return text.isidentifier() and not iskeyword(text)


def imports(manner: Manner) -> list[str]:
    """The lines that must stand before the call for it to be pasted."""
    return [f"import {_IMPORTED[manner]}"] if manner in _IMPORTED else []


def getter(value: object) -> Callable[..., object] | None:
    """The function that a property runs when it is read; None for what is no property."""
    if isinstance(value, property):
        return value.fget
    if isinstance(value, cached_property):
        return value.func
    return None


def reveal(function: object, name: str) -> None:
    """Make the function known that a decorator hides, as `functools.wraps` would have done.

    A wrapper made without it has neither the parameters nor the types of what it wraps, but it has
    the function itself in its closure.
    """
    if not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        return
    if function.__qualname__ == name:
        return
    for cell in function.__closure__ or ():
        try:
            inner = cell.cell_contents
        except ValueError:  # not bound yet
            continue
        if isinstance(inner, FunctionType) and inner.__qualname__ == name:
            function.__wrapped__ = inner  # type: ignore[attr-defined]
            return
