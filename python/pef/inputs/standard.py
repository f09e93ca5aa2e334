"""Types of the standard library, and what their inputs are made of.

Only tables: what is made from what, by name, so that no module is loaded for a type nobody uses.
`forms` reads them.
"""

from __future__ import annotations

import collections.abc
from types import NoneType
from typing import Any

from pef.records import NamedTuple

LISTS = frozenset(
    {
        *(list, collections.abc.Sequence, collections.abc.MutableSequence),
        *(collections.abc.Iterable, collections.abc.Collection, collections.abc.Reversible),
        *(collections.abc.Container, collections.abc.Sized),
    }
)
DICTS = frozenset({dict, collections.abc.Mapping, collections.abc.MutableMapping})
SETS = frozenset({set, collections.abc.Set, collections.abc.MutableSet})

ANYTHING: tuple[object, ...] = (int, str, NoneType)
"""What is tried where anything may come."""

STANDS_FOR: dict[str, tuple[object, ...]] = {
    "typing.SupportsInt": (int, float),
    "typing.SupportsIndex": (int,),
    "typing.SupportsFloat": (float, int),
    "typing.SupportsAbs": (int, float),
    "typing.SupportsRound": (float, int),
    "typing.SupportsComplex": (complex,),
    "typing.SupportsBytes": (bytes,),
    "typing.Text": (str,),
    "typing.AnyStr": (str, bytes),
    "typing.LiteralString": (str,),
    "collections.abc.Hashable": (int, str),
    "collections.abc.ByteString": (bytes,),
    "collections.abc.Buffer": (bytes,),
    "numbers.Number": (int, float),
    "numbers.Complex": (int, float),
    "numbers.Real": (int, float),
    "numbers.Rational": (int,),
    "numbers.Integral": (int,),
    "builtins.type": (type[int], type[str]),
}
"""Types that say what a value can do, and simple types that can; others could do so too."""


TYPESHED: dict[str, object] = {
    "ReadableBuffer": bytes,
    "StartResponse": collections.abc.Callable,
    "StrOrBytesPath": str | bytes,
    "StrPath": str,
    "WSGIApplication": collections.abc.Callable,
    "WSGIEnvironment": dict[str, Any],
}
"""Types that exist in the stubs of the standard library only."""


class Conversion(NamedTuple):
    """Made by calling something with one input of a simpler type."""

    inner: object
    by: str
    """The dotted name of what is called."""


CONVERTED: dict[str, Conversion] = {
    "collections.abc.Iterator": Conversion(list, "builtins.iter"),
    "collections.deque": Conversion(list, "collections.deque"),
    "collections.OrderedDict": Conversion(dict, "collections.OrderedDict"),
    "collections.Counter": Conversion(dict, "collections.Counter"),
    "collections.ChainMap": Conversion(dict, "collections.ChainMap"),
    "collections.UserDict": Conversion(dict, "collections.UserDict"),
    "collections.UserList": Conversion(list, "collections.UserList"),
    "collections.UserString": Conversion(str, "collections.UserString"),
    "types.MappingProxyType": Conversion(dict, "types.MappingProxyType"),
    "builtins.bytearray": Conversion(bytes, "builtins.bytearray"),
    "builtins.memoryview": Conversion(bytes, "builtins.memoryview"),
    "typing.TextIO": Conversion(str, "io.StringIO"),
    "typing.BinaryIO": Conversion(bytes, "io.BytesIO"),
    "io.StringIO": Conversion(str, "io.StringIO"),
    "io.TextIOBase": Conversion(str, "io.StringIO"),
    "io.TextIOWrapper": Conversion(str, "io.StringIO"),
    "io.IOBase": Conversion(str, "io.StringIO"),
    "io.BytesIO": Conversion(bytes, "io.BytesIO"),
    "io.BufferedIOBase": Conversion(bytes, "io.BytesIO"),
    "io.BufferedReader": Conversion(bytes, "io.BytesIO"),
    "io.RawIOBase": Conversion(bytes, "io.BytesIO"),
    "os.PathLike": Conversion(str, "pathlib.Path"),
    "pathlib.Path": Conversion(str, "pathlib.Path"),
    "pathlib.PosixPath": Conversion(str, "pathlib.PosixPath"),
    "pathlib.PurePath": Conversion(str, "pathlib.PurePath"),
    "pathlib.PurePosixPath": Conversion(str, "pathlib.PurePosixPath"),
    "pathlib._local.Path": Conversion(str, "pathlib.Path"),
    "pathlib._local.PurePath": Conversion(str, "pathlib.PurePath"),
    "pathlib._local.PurePosixPath": Conversion(str, "pathlib.PurePosixPath"),
}
"""Iterators, wrappers, streams and paths."""

CONSTRUCTED: dict[str, tuple[object, ...]] = {
    "builtins.range": (int, int),
    "builtins.complex": (float, float),
    "builtins.slice": (int | None, int | None, int | None),
    "fractions.Fraction": (int, int),
    "decimal.Decimal": (int,),
    "datetime.date": (int, int, int),
    "datetime.datetime": (int, int, int, int, int, int, int),
    "datetime.time": (int, int, int, int),
    "datetime.timedelta": (int, int, int),
    "ipaddress.IPv4Address": (int,),
    "ipaddress.IPv6Address": (int,),
    "logging.Logger": (str,),
    "random.Random": (int,),
}
"""Classes and the types of the arguments their inputs are made with."""

ZERO_AT_LAST = frozenset({"datetime.datetime", "datetime.time", "datetime.timedelta"})
"""Those of which the last argument is left out where it is 0."""

EXAMPLES: dict[str, tuple[str, ...]] = {
    "re.Pattern": ("re.compile('a+')", "re.compile('')"),
    "datetime.tzinfo": ("datetime.timezone.utc",),
    "datetime.timezone": ("datetime.timezone.utc",),
    "types.ModuleType": ("types.ModuleType('module')",),
}
"""Types of which only some values are tried: those these expressions make."""

PARTIAL: dict[str, str] = {
    "builtins.memoryview": "only for reading",
    "builtins.range": "only with step 1",
    "collections.ChainMap": "only of one dict",
    "collections.deque": "only without a maximal length",
    "datetime.datetime": "only without a time zone",
    "datetime.time": "only without a time zone",
    "decimal.Decimal": "only whole ones",
    "logging.Logger": "only fresh ones",
}
"""What the inputs above leave out."""


def full_name(kind: Any) -> str:
    """The name of a type in these tables."""
    module = getattr(kind, "__module__", "")
    name = getattr(kind, "__qualname__", None) or getattr(kind, "_name", "")
    return f"{_PUBLIC.get(module, module)}.{name}"


_PUBLIC = {"_io": "io", "_random": "random"}


def found(path: str) -> Any:
    """What a dotted name of a module's content means."""
    from importlib import import_module

    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)
