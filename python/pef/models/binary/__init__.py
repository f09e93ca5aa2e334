"""Binary data: `bytes` and its kin, and what is packed in them.

One room per subject, loaded when it is needed. Encodings stand with text
(`pef.models.text.codecs`); the methods that work alike for `str` and `bytes` stand there too and
are only attached here. What `binascii` and `zlib` have is registered by its own rooms, once those
modules are there.
"""

from __future__ import annotations

import struct

from pef import _native
from pef._native import SymBytes
from pef.models import later
from pef.models.text import SHARED_METHODS, install_special_methods
from pef.models.text.calling import attempted, publish

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

METHODS: dict[str, str] = {
    **SHARED_METHODS,
    "decode": "text.codecs:decode",
    "hex": "binary.hexadecimal:hex_of",
    "translate": "binary.methods:translate",
}
"""Methods that `bytes` and `bytearray` have in common."""

_STRUCT = ("unpack", "unpack_from", "iter_unpack", "pack", "pack_into")


def install() -> None:
    """Registers the models of all rooms."""
    _install_bytes()
    _install_bytearray()
    _install_integers()
    memoryview_model = attempted(memoryview, "binary.views:memoryview_model")
    _native.register_model(memoryview, memoryview_model)
    for name in _STRUCT:
        function, method = getattr(struct, name), getattr(struct.Struct, name)
        _native.register_guarded(function, attempted(function, f"binary.structs:{name}"))
        _native.register_guarded(method, attempted(method, f"binary.structs:{name}_method"))


def _install_bytes() -> None:
    for name, model in METHODS.items():
        publish(bytes, SymBytes, name, model)
    install_special_methods(bytes, SymBytes)
    SymBytes.fromhex = bytes.fromhex  # type: ignore[method-assign, assignment]
    _native.register_guarded(bytes.fromhex, attempted(fromhex, "binary.hexadecimal:fromhex"))
    _native.register_guarded(bytes, attempted(bytes, "binary.construction:bytes_model"))


def _install_bytearray() -> None:
    """Its methods for plain receivers with symbolic arguments; `arrays` has the others."""
    for name in METHODS:
        model = f"binary.arrays:SymByteArray.{name}"
        later.register(_native.register_guarded, getattr(bytearray, name), model, "bytearray")
    _native.register_model(bytearray, attempted(bytearray, "binary.arrays:bytearray_model"))
    _native.register_guarded(bytearray.fromhex, attempted(fromhex, "binary.arrays:from_digits"))


def _install_integers() -> None:
    _native.register_guarded(int.from_bytes, attempted(from_bytes, "binary.integers:from_bytes"))
    to_bytes = attempted(int.to_bytes, "binary.integers:to_bytes")
    _native.register_guarded(int.to_bytes, to_bytes)
    for kind in (_native.SymInt, _native.SymBool):
        kind.to_bytes = to_bytes  # type: ignore[method-assign]


def fromhex(kind: Any, *given: Any) -> Any:
    """The class method, of any class."""
    return kind.fromhex(*given)


def from_bytes(kind: Any, *given: Any, **named: Any) -> Any:
    """As above."""
    return kind.from_bytes(*given, **named)


from_bytes.__qualname__ = "int.from_bytes"
