"""Which C callables may see symbolic values as they are, and which parameters they read.

A callable is *transparent* if it only stores its arguments or reaches them through slots, which
record or pin by themselves: arithmetic, comparison, truth, hash, `str`, `format`. CPython code that
copies the digits of an int (`PyLong_As...`, `PyNumber_Index`) loses them without a trace, so a
parameter that is read that way is pinned first (`"pin"`), and a function that C code will call is
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

Treatment = Literal["pin", "select"]

TRANSPARENT: dict[str, str] = {
    "builtins": """
        abs all any ascii callable delattr dict dir divmod format frozenset getattr
        globals hasattr id isinstance issubclass list locals next object pow property
        repr reversed set setattr staticmethod classmethod str super tuple vars zip
    """,
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
    "builtins.list": "__init__ append clear copy count extend remove reverse",
    "builtins.tuple": "count",
    "builtins.dict": """
        __contains__ __getitem__ __init__ __setitem__ clear copy get items keys pop popitem
        setdefault update values
    """,
    "builtins.set": """
        __init__ add clear copy difference difference_update discard intersection
        intersection_update isdisjoint issubset issuperset pop remove symmetric_difference
        symmetric_difference_update union update
    """,
    "builtins.frozenset": """
        copy difference intersection isdisjoint issubset issuperset symmetric_difference union
    """,
    "builtins.BaseException": "__init__ __setstate__ with_traceback",
    "_collections": "OrderedDict _count_elements defaultdict",
    "_collections.deque": """
        append appendleft clear copy count extend extendleft pop popleft remove reverse
    """,
    "_collections.defaultdict": "__missing__ copy",
    "_collections.OrderedDict": """
        clear copy items keys move_to_end pop popitem setdefault update values
    """,
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
        "max": {"key": "select"},
        "min": {"key": "select"},
        "round": {1: "pin", "ndigits": "pin"},
        "sorted": {"key": "select", "reverse": "pin"},
    },
    "builtins.list": {
        "index": {1: "pin", 2: "pin"},
        "insert": {0: "pin"},
        "pop": {0: "pin"},
        "sort": {"key": "select", "reverse": "pin"},
    },
    "builtins.tuple": {"index": {1: "pin", 2: "pin"}},
    "_collections": {"deque": {1: "pin", "maxlen": "pin"}},
    "_collections.deque": {
        "index": {1: "pin", 2: "pin"},
        "insert": {0: "pin"},
        "rotate": {0: "pin"},
    },
    "itertools": {
        "accumulate": {1: "select", "func": "select"},
        "combinations": {1: "pin", "r": "pin"},
        "combinations_with_replacement": {1: "pin", "r": "pin"},
        "dropwhile": {0: "select"},
        "filterfalse": {0: "select"},
        "groupby": {1: "select", "key": "select"},
        "islice": {1: "pin", 2: "pin", 3: "pin"},
        "permutations": {1: "pin", "r": "pin"},
        "product": {"repeat": "pin"},
        "repeat": {1: "pin", "times": "pin"},
        "starmap": {0: "select"},
        "takewhile": {0: "select"},
        "tee": {1: "pin"},
    },
    "_functools": {"reduce": {0: "select"}, "cmp_to_key": {0: "select", "mycmp": "select"}},
    "_operator": {"setitem": {1: "pin"}, "delitem": {1: "pin"}},
    "_bisect": {
        name: {
            2: "pin",
            3: "pin",
            4: "select",
            "lo": "pin",
            "hi": "pin",
            "key": "select",
        }
        for name in ("bisect_left", "bisect_right", "insort_left", "insort_right")
    },
}
"""By owner and name: how each parameter is treated; those not named stay whole."""

WATCHED: dict[str, str] = {"_decimal": "Decimal"}
"""Types whose operators read ints; they are watched once their module is there."""

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
