"""Models by name: a room is loaded when one of its models is first called, or likely to be.

Most functions use a few rooms, and start-up is paid by every call of `pef`. A name is a place below
`pef.models`: `text.casing:lower`. Whoever has read the target hands its words to `preload`; else
every worker of a module would load the same rooms, in the midst of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Model = Callable[..., Any]
    Register = Callable[[Any, Model], None]

_named: dict[str, set[str]] = {}
"""By the word that tells of them, the name of a callable: the models."""


def named(word: str, model: str) -> None:
    """Notes that whoever mentions `word` may need this model."""
    _named.setdefault(word, set()).add(model)


def loaded(model: str) -> Any:
    """The model of that name."""
    room, _, name = model.partition(":")
    return attrgetter(name)(import_module(f"pef.models.{room}"))


def register(how: Register, callee: Any, model: str, word: str | None = None) -> None:
    """Registers a model (`how`: as a model, or a guarded one) that replaces itself when called.

    It is likely to be if `word` is mentioned, the name of the callable unless another is given.
    """
    named(callee.__name__ if word is None else word, model)

    def first(*given: Any, **options: Any) -> Any:
        found = loaded(model)
        how(callee, found)
        return found(*given, **options)

    how(callee, first)


def preload(words: Iterable[str]) -> None:
    """Loads the rooms of everything that is called by one of these words."""
    rooms = {model.partition(":")[0] for word in words for model in _named.get(word, ())}
    for room in sorted(rooms):
        import_module(f"pef.models.{room}")


def everything() -> list[str]:
    """The names of all models that are loaded late."""
    return sorted(set().union(*_named.values()))
