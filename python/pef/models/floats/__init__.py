"""Floats: what `float` and `math` do with symbolic values, beyond what is native.

The native type (`SymFloat`) computes and compares by itself. Here is the rest: methods of `float`
(`members`), the functions of `math` (`mathematics`) and sums (`sums`), over the operations of the
term language (`_native.apply`). An exception that CPython would raise is a decision, and CPython
itself is asked to raise it. What has no theory (correctly rounded decimals, text) pins.
"""

from __future__ import annotations

import math

from pef import _native
from pef.models import later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MATHEMATICS = """
    acos asin atan comb copysign cos cosh degrees exp expm1 fabs factorial fmod gcd isclose isfinite
    isinf isnan isqrt lcm ldexp log log10 log1p log2 modf perm pow prod radians sin sinh sqrt tan
    tanh
"""


def __getattr__(name: str) -> Any:
    if name == "to_int":  # called by the native type
        globals()[name] = found = later.loaded("floats.members:to_int")
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def install() -> None:
    """Attaches the methods and registers the functions; plain calls go to CPython."""
    from pef.models.floats import members

    members.install()
    for name in _MATHEMATICS.split():
        model = f"floats.mathematics:MODELS.{name}"
        later.register(_native.register_guarded, getattr(math, name), model)
