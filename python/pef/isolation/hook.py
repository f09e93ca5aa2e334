"""Layer one: an audit hook that names what it denies, and the option that allows it.

It is there for the message. Code that wants to get around it can (C extensions raise no events, and
whoever is in this process can change it); what may not happen is up to the kernel, see
`pef.isolation.kernel`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from pef.isolation import outside
from pef.isolation.denied import SideEffectDenied
from pef.isolation.policy import Policy, allowing_write
from pef.records import NamedTuple

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_SHOWN = 60


class _State:
    """What holds in this process; a hook cannot be removed."""

    policy: Policy | None = None
    denials: ClassVar[dict[str, str]] = {}
    """What was denied in this process, with the option that allows it."""
    suspended = 0
    is_installed = False
    reaches = 0
    """How often code has turned to something outside its own memory."""


def install(policy: Policy) -> None:
    """Deny what the policy does not allow, in this process and its forks."""
    _State.policy = None if policy.everything else policy
    if not _State.is_installed:
        _State.is_installed = True
        sys.addaudithook(_hook)


def denied() -> list[str]:
    """What was denied in this process so far: code that goes on has not shown what else it does."""
    return [f"{call} was denied ({option})" for call, option in _State.denials.items()]


def reaches() -> int | None:
    """How often code has done what depends on more than this process; None if nobody counts.

    Files, threads, other processes and the network are noticed. C code is only if it raises events.
    """
    return _State.reaches if _State.is_installed else None


@contextmanager
def ours() -> Iterator[None]:
    """What happens inside is done by PEF itself."""
    _State.suspended += 1
    try:
        yield
    finally:
        _State.suspended -= 1


@contextmanager
def theirs() -> Iterator[None]:
    """What happens inside is done by target code, whatever surrounds it."""
    before, _State.suspended = _State.suspended, 0
    try:
        yield
    finally:
        _State.suspended = before


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if event in _WITHIN:
        return
    _State.reaches += 1
    if _State.suspended:
        return
    judge = _JUDGES.get(event)
    if judge is not None and _State.policy is not None:
        try:
            judge(_State.policy, event, args)
        except SideEffectDenied as denied:
            _State.denials.setdefault(denied.call, denied.option)
            raise
    if event in outside.EVENTS:
        outside.notice(event, args)


def _judge_open(policy: Policy, event: str, args: tuple[Any, ...]) -> None:
    path, mode, flags = args
    if not flags & _WRITING or isinstance(path, int):
        return
    shown = f"open({_text(path)!r}, {mode!r})" if mode else f"os.open({_text(path)!r})"
    _require_write(policy, shown, path)


class _Path(NamedTuple):
    """Where the arguments of an event have a path that is changed."""

    at: int
    folder_at: int | None = None
    """Where they have the descriptor of the folder that it is seen from."""


def _judge_paths(*paths: _Path) -> Callable[[Policy, str, tuple[Any, ...]], None]:
    def judge(policy: Policy, event: str, args: tuple[Any, ...]) -> None:
        shown = f"{event}({', '.join(repr(_text(args[each.at])) for each in paths)})"
        for each in paths:
            folder = None  # CPython 3.10 does not tell it of every call
            if each.folder_at is not None and each.folder_at < len(args):
                folder = args[each.folder_at]
            _require_write(policy, shown, _seen_from(folder, args[each.at]))

    return judge


def _seen_from(folder: int | None, path: Any) -> Any:
    """A path as seen from an open folder, if there is one."""
    if folder is None or folder < 0 or isinstance(path, int):
        return path
    try:
        return os.path.join(os.readlink(f"/proc/self/fd/{folder}"), _text(path))
    except OSError:  # nobody tells; the kernel knows
        return None


def _require_write(policy: Policy, call: str, path: Any) -> None:
    if isinstance(path, int) or path is None:
        return
    text = _text(path)
    if not policy.may_write(text):
        raise SideEffectDenied(call, allowing_write(text))


def _judge_socket(policy: Policy, event: str, args: tuple[Any, ...]) -> None:
    import socket

    family = args[1]
    local = family == -1 or family == getattr(socket, "AF_UNIX", None)
    if not local and not policy.hosts:
        raise SideEffectDenied("socket.socket()", "--allow net:HOST")


def _judge_address(policy: Policy, event: str, args: tuple[Any, ...]) -> None:
    address = args[1]
    if address is not None:
        _require_host(policy, event, address)


def _judge_name(policy: Policy, event: str, args: tuple[Any, ...]) -> None:
    if args[0] not in (None, ""):
        _require_host(policy, event, args[0])


def _require_host(policy: Policy, event: str, address: Any) -> None:
    host = address[0] if isinstance(address, tuple) and address else address
    if isinstance(host, bytes):
        host = host.decode("ascii", "backslashreplace")
    if not policy.may_reach(host):
        raise SideEffectDenied(f"{event}({_cut(repr(address))})", f"--allow net:{host}")


def _judge_process(policy: Policy, event: str, args: tuple[Any, ...]) -> None:
    if policy.subprocess:
        return
    what = args[0] if args else None
    if event == "subprocess.Popen":
        what = args[1]
    shown = "" if what is None else _cut(repr(what))
    raise SideEffectDenied(f"{event}({shown})", "--allow subprocess")


def _judge_kill(policy: Policy, event: str, args: tuple[Any, ...]) -> None:
    if args[0] != os.getpid() and not policy.subprocess:
        raise SideEffectDenied(f"{event}({args[0]}, {int(args[1])})", "--allow subprocess")


def _text(path: Any) -> str:
    try:
        return os.fsdecode(path)
    except TypeError:
        return str(path)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


_WITHIN = frozenset(
    {
        *("compile", "exec", "marshal.loads", "code.__new__", "function.__new__"),
        *("object.__getattr__", "object.__setattr__", "object.__delattr__", "builtins.id"),
        *("sys._getframe", "sys._getframemodulename", "sys._current_frames", "array.__new__"),
    }
)
"""Events of code that has nothing to do with anything outside: what it does is the same again."""

_PATHS = {
    "os.remove": (_Path(0, 1),),
    "os.rmdir": (_Path(0, 1),),
    "os.mkdir": (_Path(0, 2),),
    "os.truncate": (_Path(0),),
    "os.chmod": (_Path(0, 2),),
    "os.chown": (_Path(0, 3),),
    "os.utime": (_Path(0, 3),),
    "os.setxattr": (_Path(0),),
    "os.removexattr": (_Path(0),),
    "os.chflags": (_Path(0),),
    "os.symlink": (_Path(1, 2),),
    "os.link": (_Path(1, 3),),
    "os.rename": (_Path(0, 2), _Path(1, 3)),
    "shutil.rmtree": (_Path(0, 1),),
    "shutil.chown": (_Path(0),),
    "shutil.make_archive": (_Path(0),),
    "shutil.copyfile": (_Path(1),),
    "shutil.copymode": (_Path(1),),
    "shutil.unpack_archive": (_Path(1),),
    "shutil.move": (_Path(0), _Path(1)),
}

_JUDGES: dict[str, Callable[[Policy, str, tuple[Any, ...]], None]] = {
    "open": _judge_open,
    **{event: _judge_paths(*paths) for event, paths in _PATHS.items()},
    "socket.__new__": _judge_socket,
    **dict.fromkeys(
        ["socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"], _judge_address
    ),
    **dict.fromkeys(
        ["socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"], _judge_name
    ),
    **dict.fromkeys(
        [
            *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn"),
            *("os.fork", "os.forkpty", "pty.spawn", "os.startfile", "webbrowser.open"),
        ],
        _judge_process,
    ),
    **dict.fromkeys(["os.kill", "os.killpg"], _judge_kill),
}
