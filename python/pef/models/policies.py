"""Which C callables may see symbolic values as they are, and which parameters they read.

A callable is *transparent* if it only stores its arguments or reaches them through slots, which
record or pin by themselves: arithmetic, comparison, truth, hash, `str`, `format`. CPython code that
copies the digits of an int (`PyLong_As...`, `PyNumber_Index`) loses them without a trace, so a
parameter that is read that way is pinned first (`"pin"`) or, if only its truth is read, asked for
it (`"ask"`), and a function that C code will call is
itself replaced by what rewritten code would call (`"select"`). Everything that is not listed pins
every symbolic argument.

Each line here is a claim about CPython 3.10 to 3.13; `tests/models_match_cpython` tries them all.
"""

from __future__ import annotations

from typing import Literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import EllipsisType

    Parameter = int | str | EllipsisType
    """A position (without the receiver), a keyword, or `...` for the further positions."""

Treatment = Literal["ask", "pin", "select"]

TRANSPARENT: dict[str, str] = {
    "builtins": """
        abs ascii callable delattr dir divmod format getattr globals hasattr id isinstance
        issubclass list locals next object pow property repr reversed setattr staticmethod
        classmethod str super tuple vars zip
    """,
    "time": "struct_time",
    "builtins.object": "__delattr__ __eq__ __init__ __ne__ __setattr__",
    "builtins.int": """
        __add__ __and__ __divmod__ __eq__ __floordiv__ __ge__ __gt__ __le__ __lshift__ __lt__
        __mod__ __mul__ __ne__ __or__ __pow__ __radd__ __rand__ __rdivmod__ __rfloordiv__
        __rlshift__ __rmod__ __rmul__ __ror__ __rpow__ __rrshift__ __rshift__ __rsub__
        __rtruediv__ __rxor__ __sub__ __truediv__ __xor__
    """,
    "builtins.float": """
        __add__ __divmod__ __eq__ __floordiv__ __ge__ __gt__ __le__ __lt__ __mod__ __mul__ __ne__
        __pow__ __radd__ __rdivmod__ __rfloordiv__ __rmod__ __rmul__ __rpow__ __rsub__ __rtruediv__
        __sub__ __truediv__
    """,
    "builtins.bool": "__and__ __or__ __rand__ __ror__ __rxor__ __xor__",
    "builtins.list": """
        __add__ __contains__ __eq__ __ge__ __gt__ __iadd__ __init__ __iter__ __le__ __len__ __lt__
        __ne__ __reversed__ append clear copy count extend remove reverse
    """,
    "builtins.tuple": """
        __add__ __contains__ __eq__ __ge__ __gt__ __iter__ __le__ __len__ __lt__ __ne__ count
    """,
    "builtins.dict": """
        __eq__ __ior__ __iter__ __len__ __ne__ __or__ __reversed__ __ror__ clear items keys popitem
        values
    """,
    "builtins.set": """
        __and__ __eq__ __ge__ __gt__ __iand__ __ior__ __isub__ __iter__ __ixor__ __le__ __len__
        __lt__ __ne__ __or__ __rand__ __ror__ __rsub__ __rxor__ __sub__ __xor__ clear
    """,
    "builtins.frozenset": """
        __and__ __eq__ __ge__ __gt__ __iter__ __le__ __len__ __lt__ __ne__ __or__ __rand__ __ror__
        __rsub__ __rxor__ __sub__ __xor__
    """,
    "builtins.BaseException": "__init__ __setstate__ with_traceback",
    "types.CoroutineType": "send throw",
    "types.GeneratorType": "send throw",
    "_collections.deque": """
        append appendleft clear copy count extend extendleft pop popleft remove reverse
    """,
    "_collections.OrderedDict": "__eq__ __ne__ __reversed__ clear items keys values",
    "itertools": "chain compress cycle pairwise zip_longest",
    "_functools": "partial",
    "_operator": """
        abs add and_ attrgetter concat countOf eq floordiv ge gt iadd iand iconcat
        ifloordiv ilshift imatmul imod imul indexOf inv invert ior ipow irshift isub itruediv
        ixor le lshift lt matmul mod mul ne neg or_ pos pow rshift sub truediv truth xor
    """,
    "math": "ceil floor trunc",
    "_heapq": """
        heapify heappop heappush heappushpop heapreplace
        _heapify_max _heappop_max _heapreplace_max
    """,
}
"""By owner: a module, or `module.type` for methods."""

TREATED: dict[str, dict[str, dict[Parameter, Treatment]]] = {
    "builtins": {
        "filter": {0: "select"},
        "map": {0: "select"},
        "round": {1: "pin", "ndigits": "pin"},
        "UnicodeDecodeError": {2: "pin", 3: "pin"},
        "UnicodeEncodeError": {2: "pin", 3: "pin"},
        "UnicodeTranslateError": {1: "pin", 2: "pin"},
    },
    "builtins.list": {"sort": {"key": "select", "reverse": "ask"}},
    "itertools": {
        "accumulate": {1: "select", "func": "select"},
        "dropwhile": {0: "select"},
        "filterfalse": {0: "select"},
        "groupby": {1: "select", "key": "select"},
        "starmap": {0: "select"},
        "takewhile": {0: "select"},
    },
    "_functools": {"reduce": {0: "select"}, "cmp_to_key": {0: "select", "mycmp": "select"}},
}
"""By owner and name: how each parameter is treated; those not named stay whole."""

LAZY: dict[str, str] = {
    "builtins": "enumerate filter map reversed zip",
    "types": "GeneratorType",
    "itertools": """
        accumulate chain combinations combinations_with_replacement compress count cycle
        dropwhile filterfalse islice pairwise permutations product repeat starmap takewhile
        zip_longest
    """,
}
"""Iterators and the like: what they bring is settled as C code draws it."""
