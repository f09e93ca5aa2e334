"""What a program reads that is none of its code: files, folders, the environment.

A result that depends on such things may be another one tomorrow, though the code is the same, so it
must not be kept. What the interpreter reads to import modules is code; what comes with the standard
library or is installed is known by its version; and what PEF reads is its own business.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, ClassVar

from pef.isolation.pulse import Pulse
from pef.isolation.replacing import Replacement, surrendered

_LIBRARY = os.path.dirname(os.__file__) + os.sep
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_BETWEEN = tuple(os.path.join(_OURS, each, "") for each in ("isolation", "models"))
"""What the program may call in place of what it names."""
_INSTALLED = tuple(f"{os.sep}{each}{os.sep}" for each in ("site-packages", "dist-packages"))
_IMPORT = "<frozen importlib._bootstrap>"
_SOURCES = f"{_LIBRARY}linecache.py"
_PATHS = f"{_LIBRARY}pathlib"
_METADATA = os.path.join(_LIBRARY, "importlib", "metadata", "")
_OPENED = "open"
EVENTS = frozenset(
    {
        *(_OPENED, "os.listdir", "os.scandir", "os.getxattr", "os.listxattr", "sqlite3.connect"),
        *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.forkpty"),
        *("socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind", "socket.gethostname"),
        *("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"),
    }
)
"""Events of code that learns something from outside, unless it is denied."""
_UNHEARD = ("stat", "access", "getcwd", "getcwdb")
"""Functions of `os` that do so and raise no event."""


class _State:
    """What holds in this process and its forks."""

    page: ClassVar[Pulse | None] = None
    is_read: ClassVar[bool] = False
    """Whether the program has read something, before there was a page to note it on."""
    variables: ClassVar[set[str]] = set()
    """Environment variables that it has read by their names until then."""


def note_on(page: Pulse) -> None:
    """Note it where others see it from now on, forks of this process too, whatever ends them."""
    _State.page = page
    page.is_dated = page.is_dated or _State.is_read


def variables() -> list[str]:
    """Names of what the import of the program has looked up in the environment."""
    return sorted(_State.variables)


def notice(event: str, args: tuple[Any, ...]) -> None:
    """Note an event if the program has caused it."""
    path = args[0] if args else None
    if event == _OPENED:
        is_written_only = (args[2] or 0) & os.O_ACCMODE == os.O_WRONLY
        if is_written_only or isinstance(path, int):
            return
    is_search = event != _OPENED or str(path).endswith(".zip")
    if not _is_known(path) and _is_for_program(is_search=is_search):
        _note()


def _note() -> None:
    if _State.page is not None:
        _State.page.is_dated = True
    else:
        _State.is_read = True


def _is_known(path: object) -> bool:
    """Whether what lies there only changes with what is installed."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        return False
    text = os.path.join(os.fsdecode(path), "")
    return text.startswith((_LIBRARY, _OURS)) or any(each in text for each in _INSTALLED)


def _is_for_program(*, is_search: bool = False) -> bool:
    """Whether somebody reads for the program, maybe a library; not to import or to show code.

    A search is forgotten if it is one for installed packages, or for loops of links.
    """
    frame = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file in (_IMPORT, _SOURCES) or (is_search and _only_searches(frame.f_code)):
            return False
        if file.startswith("<"):  # frozen, or made at run time
            file = frame.f_globals.get("__file__") or _LIBRARY
        if file.startswith(_OURS):
            if not file.startswith(_BETWEEN):
                return False  # and whoever has called PEF is not looked at
        elif not file.startswith(_LIBRARY) or any(each in file for each in _INSTALLED):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def _only_searches(code: CodeType) -> bool:
    file = code.co_filename
    return file.startswith(_METADATA) or (file.startswith(_PATHS) and code.co_name == "resolve")


def replacements() -> list[Replacement]:
    """What notices calls that raise no event."""
    return [Replacement(os, name, _noticed(getattr(os, name))) for name in _UNHEARD]


class _Noticed:
    """A function of `os` that notes who calls it; in a class, it is no method as theirs is none."""

    def __init__(self, plain: Callable[..., Any]) -> None:
        self._plain = plain
        self.__name__ = self.__qualname__ = plain.__name__
        self.__doc__ = plain.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        path = args[0] if args else kwargs.get("path")
        if not isinstance(path, int) and not _is_known(path) and _is_for_program(is_search=True):
            _note()
        given, named = surrendered((args, kwargs), f"os.{self.__name__}")
        return self._plain(*given, **named)


def _noticed(plain: Callable[..., Any]) -> _Noticed:
    look = _Noticed(plain)
    abilities: tuple[set[Any], ...] = (
        *(os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks),
        os.supports_effective_ids,
    )
    for able in abilities:  # what stands in for a function can do what it can
        if plain in able:
            able.add(look)
    return look


class _Variables(dict[bytes, bytes]):
    """What is behind `os.environ`, `os.environb` and `os.getenv`."""

    def __getitem__(self, name: bytes) -> bytes:
        if _is_for_program():
            if _State.page is not None:
                _note()
            else:
                _State.variables.add(os.fsdecode(name))
        return super().__getitem__(name)

    def __iter__(self) -> Iterator[bytes]:
        if _is_for_program():
            _note()
        return super().__iter__()

    def items(self) -> Any:
        """All of it, for `repr`."""
        if _is_for_program():
            _note()
        return super().items()


def watch_environment() -> None:
    """Notice from now on who looks at the environment of this process."""
    known: Any = os.environ
    if not isinstance(known._data, _Variables):
        known._data = _Variables(known._data)
        if os.supports_bytes_environ:
            vars(os.environb)["_data"] = known._data
