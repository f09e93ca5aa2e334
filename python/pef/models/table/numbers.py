"""Rows of ints and bools, of the functions that take them, and of containers and syntax."""

from __future__ import annotations

from pef.models.table.rows import Operation, Treatment


def rows() -> tuple[Operation, ...]:
    """All rows, in the order of the documentation."""
    return (*_int_operators(), *_int_members(), *_bool(), *_calls(), *_containers())


_M, _D, _P = Treatment.MODELLED, Treatment.DECIDED, Treatment.PINNED

_ZERO = "whether the divisor is zero"
_PLACES = "whether the number of places is negative"
_FLOAT = "whether the number is too large for a float"
_TEXT = "whether there are more digits than CPython converts"
_SIGN = "the sign, where the layout depends on it"


def _forms(operator: str, name: str) -> tuple[str, ...]:
    """An operator on ints and bools in every way it can be written."""
    return (
        *(f"x {operator} y", f"x {operator} 3", f"-7 {operator} x", f"x {operator} True"),
        *(f"x {operator} p", f"p {operator} x", f"True {operator} x", f"x {operator}= y\nreturn x"),
        *(f"x.__{name}__(y)", f"x.__r{name}__(y)", f"x.__{name}__(2.5)", f"x.__{name}__(None)"),
        f"x {operator} None",
    )


def _compared(operator: str, name: str) -> tuple[str, ...]:
    return (
        *(f"x {operator} y", f"x {operator} 3", f"-7 {operator} x", f"x {operator} True"),
        *(f"x {operator} p", f"p {operator} x", f"True {operator} x", f"x {operator} 2.5"),
        *(f"4.0 {operator} x", f"x {operator} y {operator} 5"),
        *(f"x {operator} float('inf')", f"x {operator} float('nan')", f"x.__{name}__(y)"),
        *(f"x {operator} 'a'", f"x {operator} None", f"x.__{name}__('a')"),
    )


def _int_operators() -> list[Operation]:
    rows = []
    for name, sign in (("add", "+"), ("sub", "-"), ("mul", "*")):
        rows.append(Operation("int", f"__{name}__", _M, _forms(sign, name)))
        rows.append(Operation("int", f"__{name}__", _D, (f"x {sign} 2.5", f"2.5 {sign} x"), _FLOAT))
    for name, sign in (("floordiv", "//"), ("mod", "%")):
        rows.append(Operation("int", f"__{name}__", _D, _forms(sign, name), _ZERO))
        rows.append(Operation("int", f"__{name}__", _D, (f"x {sign} 2.5", f"2.5 {sign} x"), _FLOAT))
    rows.append(
        Operation(
            "int", "__divmod__", _D, ("divmod(x, y)", "divmod(x, 3)", "x.__divmod__(y)"), _ZERO
        )
    )
    rows.append(Operation("int", "__rdivmod__", _D, ("divmod(-7, x)", "x.__rdivmod__(y)"), _ZERO))
    rows.append(Operation("int", "__truediv__", _D, ("x / y", "x / 2", "1 / x", "x / 2.5"), _FLOAT))
    for name, sign in (("lshift", "<<"), ("rshift", ">>")):
        small = (f"x {sign} (y & 15)", f"3 {sign} (x & 15)", f"x {sign} 3", f"x {sign} p")
        rows.append(Operation("int", f"__{name}__", _M, small))
        wide = (f"x {sign} (y % 9 - 4)", f"x.__{name}__(-1)", f"x {sign} -1")
        rows.append(Operation("int", f"__{name}__", _D, wide, _PLACES))
    for name, sign in (("and", "&"), ("or", "|"), ("xor", "^")):
        rows.append(Operation("int", f"__{name}__", _M, _forms(sign, name)))
    rows += _powers()
    for name, sign in _COMPARISONS:
        rows.append(Operation("int", f"__{name}__", _M, _compared(sign, name)))
    return rows


_COMPARISONS = (
    *(("eq", "=="), ("ne", "!="), ("lt", "<")),
    *(("le", "<="), ("gt", ">"), ("ge", ">=")),
)


def _powers() -> list[Operation]:
    sign = "whether the exponent is negative"
    return [
        Operation("int", "__pow__", _M, ("x ** 2", "x ** 3", "x.__pow__(2)", "pow(x, 2)")),
        Operation("int", "__pow__", _D, ("2 ** (x % 7)", "x ** (y % 4)"), sign),
        Operation("int", "__pow__", _D, ("pow(x, 3, 7)", "pow(3, 4, x)", "pow(x, 2, y)"), _ZERO),
        Operation("int", "__pow__", _D, ("x ** -1", "2.5 ** (x % 3)", "(x % 3) ** 0.5"), _FLOAT),
        Operation(
            "int",
            "__pow__",
            _P,
            ("pow(3, x % 50, 7)", "pow(x, 100, 7)", "pow(x, -1, 7)"),
            "a modulus with a large or negative exponent has no theory",
        ),
    ]


def _int_members() -> list[Operation]:
    same = ("__trunc__", "__floor__", "__ceil__", "__int__", "__index__", "__pos__", "conjugate")
    return [
        *(Operation("int", name, _M, (f"x.{name}()", f"p.{name}()")) for name in same),
        Operation("int", "__pos__", _M, ("+x", "+p")),
        Operation("int", "__neg__", _M, ("-x", "-p", "x.__neg__()")),
        Operation("int", "__abs__", _M, ("abs(x)", "abs(p)", "x.__abs__()")),
        Operation("int", "__invert__", _M, ("~x", "x.__invert__()")),
        Operation("int", "bit_length", _M, ("x.bit_length()", "p.bit_length()")),
        Operation("int", "bit_count", _M, ("(x & 255).bit_count()", "p.bit_count()")),
        Operation("int", "as_integer_ratio", _M, ("x.as_integer_ratio()",)),
        Operation("int", "is_integer", _M, ("x.is_integer()",), since=(3, 12)),
        *(
            Operation("int", name, _M, (f"x.{name}", f"p.{name}"))
            for name in ("real", "imag", "numerator", "denominator")
        ),
        Operation("int", "__class__", _M, ("x.__class__", "p.__class__")),
        Operation(
            "int", "__round__", _M, ("round(x)", "round(x, 2)", "round(x, None)", "round(p)")
        ),
        Operation(
            "int",
            "__round__",
            _P,
            ("round(x, -1)", "round(1.5, x)", "(1.5).__round__(x)"),
            "rounding to tens",
        ),
        Operation(
            "int",
            "__bool__",
            _D,
            ("1 if x else 2", "not x", "x and y", "x or y", "x.__bool__()"),
            "the truth of the value",
        ),
        Operation("int", "__hash__", _P, ("x.__hash__()", "hash((x, 1))"), "hashing"),
        Operation("int", "__float__", _D, ("float(x)", "x.__float__()"), _FLOAT),
        Operation("int", "__repr__", _D, ("repr(x)", "x.__repr__()", "f'{x!r}'"), _TEXT),
        Operation(
            "int", "__str__", _D, ("str(x)", "x.__str__()", "'%d' % x", "'%s' % (x,)"), _TEXT
        ),
        Operation(
            "int",
            "__format__",
            _D,
            ("f'{x}'", "f'{x:>5}'", "format(x, 'x')", "'{}'.format(x)", "x.__format__('d')"),
            _SIGN,
        ),
        Operation(
            "int",
            "to_bytes",
            _D,
            ("(x & 255).to_bytes(1, 'big')", "(x & 255).to_bytes(length=2, byteorder='little')"),
            "whether the number fits",
        ),
        Operation("int", "from_bytes", _M, ("int.from_bytes(b'ab', 'big') + x",), "of plain bytes"),
        Operation("int", "__getnewargs__", _P, ("x.__getnewargs__()",), "pickling"),
        Operation("int", "__reduce__", _P, ("x.__reduce_ex__(2)[1]",), "pickling"),
        Operation("int", "__sizeof__", _P, ("x.__sizeof__() > 0",), "the size of its digits"),
    ]


def _bool() -> list[Operation]:
    rows = []
    for name, sign in (("and", "&"), ("or", "|"), ("xor", "^")):
        cases: tuple[str, ...] = (f"p {sign} q", f"p {sign} True", f"False {sign} p")
        cases += (f"p {sign} x", f"x {sign} p", f"p {sign}= q\nreturn p", f"p.__{name}__(q)")
        rows.append(Operation("bool", f"__{name}__", _M, cases))
    for name, sign in (("add", "+"), ("sub", "-"), ("mul", "*")):
        cases = (f"p {sign} q", f"p {sign} 3", f"3 {sign} p", f"p {sign} True", f"True {sign} p")
        rows.append(Operation("bool", f"__{name}__", _M, cases))
    for name, sign in (("floordiv", "//"), ("mod", "%")):
        rows.append(Operation("bool", f"__{name}__", _D, (f"p {sign} q", f"3 {sign} p"), _ZERO))
    for name, sign in _COMPARISONS:
        cases = (f"p {sign} q", f"p {sign} True", f"True {sign} p", f"p {sign} 1", f"p {sign} 0.5")
        rows.append(Operation("bool", f"__{name}__", _M, cases))
    return [
        *rows,
        Operation("bool", "__invert__", _M, ("~p", "p.__invert__()")),
        Operation("bool", "is", _M, ("p is True", "p is not False", "p is q", "(x > 3) is True")),
        Operation("bool", "not", _M, ("not p", "not not p")),
        Operation("bool", "__bool__", _D, ("1 if p else 2", "p and q", "p or x"), "the truth"),
        Operation("bool", "__hash__", _P, ("p.__hash__()", "hash((p, 1))"), "hashing"),
        Operation("bool", "__repr__", _D, ("repr(p)", "str(p)", "f'{p}'", "f'{p!r}'"), "which one"),
        Operation(
            "bool", "__format__", _D, ("format(p, '')", "f'{p:>3}'", "'%s' % p"), "which one"
        ),
        Operation("bool", "to_bytes", _D, ("p.to_bytes(1, 'big')",), "which one"),
        Operation(
            "bool",
            "match",
            _D,
            ("match p:\n    case True: return 1\n    case False: return 2",),
            "which one",
        ),
    ]


def _calls() -> list[Operation]:
    items = "which element is compared how"
    return [
        Operation("builtins", "int", _M, ("int(x)", "int(p)", "list(map(int, [x, p]))[1]")),
        Operation("builtins", "bool", _M, ("bool(x)", "bool(p)", "bool(x) is True")),
        Operation(
            "builtins", "type", _M, ("type(x)", "type(p)", "type(x) is int", "type(p) is int")
        ),
        Operation(
            "builtins",
            "isinstance",
            _M,
            (
                *("isinstance(x, int)", "isinstance(x, bool)", "isinstance(p, bool)"),
                *("isinstance(p, int)", "isinstance(x, (str, int))", "isinstance(x, str | int)"),
                "from numbers import Integral, Real\n"
                "return isinstance(x, Integral), isinstance(p, Real)",
                "from collections.abc import Hashable, Sized\n"
                "return isinstance(x, Hashable), isinstance(x, Sized)",
            ),
        ),
        Operation("builtins", "issubclass", _M, ("issubclass(type(p), int)",)),
        Operation("builtins", "abs", _M, ("abs(x - 3)", "abs(p)")),
        Operation("builtins", "divmod", _D, ("divmod(x, 3)", "divmod(17, x)"), _ZERO),
        Operation("builtins", "pow", _M, ("pow(x, 2)", "pow(x, 3, 7)", "pow(base=x, exp=2)")),
        Operation("builtins", "hash", _M, ("hash(x)", "hash(p)", "hash(x) == -2")),
        Operation("builtins", "len", _M, ("len([x, y])", "len((x,))")),
        Operation(
            "builtins",
            "sum",
            _M,
            ("sum([x, y, 3])", "sum((x, p))", "sum([1, 2], x)", "sum([x], start=y)", "sum([])"),
        ),
        Operation(
            "builtins", "sum", _D, ("sum([x, 0.5])", "sum([0.1, x, 0.2])", "sum([x], 0.5)"), _FLOAT
        ),
        Operation(
            "builtins",
            "min",
            _D,
            ("min(x, y)", "min([x, 3, y])", "min(x, y, key=abs)", "min([x], default=2)", "min([])"),
            items,
        ),
        Operation("builtins", "max", _D, ("max(x, y)", "max([x, 3, y])", "max(x, 2.5)"), items),
        Operation(
            "builtins",
            "sorted",
            _D,
            (
                *("sorted([x, y])", "sorted([x, 3, y])", "sorted([x, 2], reverse=p)"),
                *("sorted([x, y], key=lambda v: -v)", "sorted([(x, 1), (y, 0)])"),
                "sorted([x, -2], key=abs)",
                "items = [x, y]\nitems.sort()\nreturn items",
            ),
            items,
        ),
        Operation(
            "builtins", "any", _D, ("any([x, y])", "any(v > 3 for v in (x, y))"), "the truth"
        ),
        Operation(
            "builtins", "all", _D, ("all([x, y])", "all(v > 3 for v in (x, y))"), "the truth"
        ),
        Operation(
            "builtins",
            "enumerate",
            _M,
            (
                "list(enumerate('ab', x))",
                "list(enumerate([x, y]))",
                "list(enumerate('ab', start=p))",
            ),
        ),
        Operation(
            "builtins", "zip", _M, ("list(zip([x, y], 'ab'))", "list(zip([x], [], strict=True))")
        ),
        Operation("builtins", "reversed", _M, ("list(reversed([x, y]))",)),
        Operation(
            "builtins",
            "map",
            _M,
            (
                "list(map(lambda v: v + 1, [x, y]))",
                "list(map(abs, [x]))",
                "list(map(pow, [x], [2]))",
            ),
        ),
        Operation(
            "builtins",
            "filter",
            _D,
            (
                "list(filter(None, [x, y]))",
                "list(filter(lambda v: v > 3, [x, y]))",
                "list(filter(bool, [x]))",
            ),
            "the truth",
        ),
        Operation("builtins", "round", _M, ("round(x)", "round(x, 1)")),
        Operation(
            "builtins",
            "range",
            _D,
            (
                *("list(range(x % 4))", "list(range(x, x + 2))", "[i for i in range(0, y % 5, 2)]"),
                *(
                    "len(range(x))",
                    "len(range(x, y, 3))",
                    "len(range(10, x, -2))",
                    "range(1, 5, x)",
                ),
                *("x in range(3, 9, 2)", "3 in range(x, y)", "range(x)[2]", "range(x)[-1]"),
                *(
                    "range(x) == range(4)",
                    "range(4) == range(x)",
                    "range(x) == [0]",
                    "bool(range(x))",
                ),
                *("isinstance(range(x), range)", "type(range(x)) is range", "range(x).start"),
                *("range(x, y).stop", "range(x).count(2)", "range(x).index(2)", "range(p)[0]"),
                *(
                    "list(reversed(range(x % 3)))",
                    "range(x, 5).step",
                    "range(x, 'a')",
                    "range(x, 1.5)",
                ),
            ),
            "whether there is one more",
        ),
        Operation(
            "builtins",
            "range",
            _P,
            ("range(x)[1:3]", "repr(range(x))", "hash(range(x))"),
            "text and hashing",
        ),
        Operation("builtins", "chr", _D, ("chr(x)", "chr(p)"), "whether there is such a character"),
        Operation("builtins", "ord", _M, ("ord('a') + x",)),
        Operation(
            "builtins", "print", _M, ("print(x, [x, p], sep='-')",), "what is shown is not read"
        ),
        Operation("builtins", "bin", _D, ("bin(x)", "hex(x)", "oct(x)"), "the sign"),
        Operation("builtins", "bytes", _D, ("bytes([x & 255])", "bytes(x % 3)"), "how many"),
        Operation("builtins", "float", _D, ("float(x)",), _FLOAT),
        Operation("builtins", "complex", _P, ("complex(x)",), "complex numbers have no theory"),
        Operation("builtins", "id", _M, ("id(x) == id(x)",)),
        Operation("builtins", "iter", _M, ("next(iter([x]))", "list(iter([x, y].pop, x))[:1]")),
    ]


def _containers() -> list[Operation]:
    return [
        Operation(
            "operators",
            "index",
            _D,
            (
                *("[10, 20, 30][x]", "(10, 20)[x]", "'abc'[x]", "b'abc'[x]", "range(5)[x]"),
                *(
                    "[10, 20][p]",
                    "a = [1, 2]\na[x] = 5\nreturn a",
                    "a = [1, 2]\ndel a[x]\nreturn a",
                ),
                "a = bytearray(b'ab')\na[p] = 7\nreturn a",
            ),
            "which element is meant, or none",
        ),
        Operation(
            "operators",
            "in",
            _D,
            ("x in [1, 2]", "x in (1, 2.0)", "x not in [3]", "p in [True]", "5 in [x, y]"),
            "which element is equal",
        ),
        Operation("operators", "in", _M, ("x in {1, 2}", "x in {1: 2}", "p in {0, 'a'}")),
        Operation(
            "operators",
            "key",
            _D,
            (
                *("{1: 2}[x]", "{1: 2}.get(x)", "{1: 2, 3.0: 4}.get(x, y)", "{True: 2}[x]"),
                *("d = {1: 2}\nreturn d.pop(x, 5), d", "s = {1, 2}\ns.discard(x)\nreturn s"),
                *("{}.get(x)", "{x % 2 == 0: 3}.get(p)", "s = {1, 2}\ns.remove(x)\nreturn s"),
            ),
            "which key is meant, or none",
        ),
        Operation(
            "operators",
            "is",
            _P,
            ("x is 5 - y",),
            "identity of ints is an accident of CPython",
        ),
        Operation(
            "operators",
            "match",
            _D,
            (
                "match x:\n    case 1 | 2: return 'a'\n    case int(v) if v > 5: return v",
                "match (x, p):\n    case (0, True): return 1\n    case (v, _): return v",
            ),
            "which case fits",
        ),
        Operation(
            "operators",
            "callable",
            _M,
            (
                "import functools\nreturn functools.reduce(lambda a, b: a + b, [x, y])",
                "import functools\nreturn functools.partial(pow, x)(2)",
                "import operator\nreturn operator.add(x, y), operator.index(x), operator.neg(x)",
                "import operator\nreturn operator.itemgetter(1)([x, y])",
                "import itertools\nreturn list(itertools.accumulate([x, y]))",
                "import itertools\nreturn list(itertools.islice(itertools.count(x), 2))",
                "import math\nreturn math.floor(x), math.ceil(x), math.trunc(x)",
                "import copy\nreturn copy.copy(x), copy.deepcopy([x])",
                "f = lambda *args, **named: (args, named)\nreturn f(*[x, y], **{'k': x})",
                "return (lambda v=x: v + 1)()",
            ),
        ),
        Operation(
            "operators",
            "C call",
            _P,
            (
                "import math\nreturn math.erf(x % 100)",
                "import array\nreturn array.array('i', [x % 100])[0]",
            ),
            "a C function without a model",
        ),
    ]
