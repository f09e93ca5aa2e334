"""Rows of `float` and `math`."""

from __future__ import annotations

from pef.models.table.rows import Operation, Treatment


def rows() -> tuple[Operation, ...]:
    """All rows, in the order of the documentation."""
    return (*_operators(), *_members(), *_calls(), *_math(), *_math_of_ints())


_M, _D, _P = Treatment.MODELLED, Treatment.DECIDED, Treatment.PINNED

_ZERO = "whether the divisor is zero"
_HUGE = "whether an int is too large for a float"
_DOMAIN = "whether the function has a value there"
_TEXT = "the digits of a float have no theory"
_ALGORITHM = "CPython has an algorithm of its own"


def _forms(operator: str, name: str) -> tuple[str, ...]:
    """An operator on floats in every way it can be written."""
    return (
        *(f"f {operator} g", f"f {operator} 2.5", f"-7.5 {operator} f", f"f {operator} 3"),
        *(f"3 {operator} f", f"f {operator} p", f"p {operator} f", f"f {operator} True"),
        *(f"f {operator}= g\nreturn f", f"f.__{name}__(g)", f"f.__r{name}__(g)"),
        *(f"f.__{name}__(2)", f"f.__{name}__('a')", f"float.__{name}__(f, 2.5)"),
        *(f"float.__{name}__(2.5, f)", f"f {operator} None", f"f {operator} 'a'"),
        *(f"f {operator} float('inf')", f"float('nan') {operator} f", f"f {operator} -0.0"),
    )


def _with_ints(operator: str) -> tuple[str, ...]:
    return (f"f {operator} x", f"x {operator} f", f"x {operator} 2.5", f"2.5 {operator} x")


def _compared(operator: str, name: str) -> tuple[str, ...]:
    return (
        *(f"f {operator} g", f"f {operator} 2.5", f"-7.5 {operator} f", f"f {operator} 3"),
        *(f"3 {operator} f", f"f {operator} x", f"x {operator} f", f"f {operator} p"),
        *(f"p {operator} f", f"f {operator} 2 ** 60 + 1", f"f {operator} 10 ** 400"),
        *(f"f {operator} float('inf')", f"f {operator} float('nan')", f"f.__{name}__(g)"),
        *(f"f {operator} g {operator} 1.5", f"f {operator} 'a'", f"f {operator} None"),
        *(f"f.__{name}__('a')", f"float.__{name}__(1.5, f)", f"f {operator} f"),
    )


def _operators() -> list[Operation]:
    rows = []
    for name, sign in (("add", "+"), ("sub", "-"), ("mul", "*")):
        rows.append(Operation("float", f"__{name}__", _M, _forms(sign, name)))
        rows.append(Operation("float", f"__{name}__", _D, _with_ints(sign), _HUGE))
    for name, sign in (("truediv", "/"), ("floordiv", "//"), ("mod", "%")):
        cases = (*_forms(sign, name), *_with_ints(sign))
        rows.append(Operation("float", f"__{name}__", _D, cases, _ZERO))
    cases = ("divmod(f, g)", "divmod(f, 3)", "divmod(7.5, f)", "f.__divmod__(g)", "divmod(f, x)")
    rows.append(Operation("float", "__divmod__", _D, cases, _ZERO))
    rows.append(Operation("float", "__rdivmod__", _D, ("f.__rdivmod__(g)",), _ZERO))
    rows.append(
        Operation(
            "float",
            "__pow__",
            _D,
            (
                *("f ** 2", "f ** 2.0", "f ** -1", "2.0 ** f", "f ** 0", "f ** 3", "abs(f) ** 0.5"),
                *("f.__pow__(2)", "f.__rpow__(2.0)", "pow(f, 2)", "pow(f, 2, 3)", "f ** None"),
                *("0.0 ** f", "1.0 ** f", "f ** float('inf')", "abs(f) ** g", "2.0 ** x"),
            ),
            "whether there is a result, and a real one",
        )
    )
    rows.append(
        Operation("float", "__pow__", _P, ("f ** 0.5", "f ** g", "(-2.0) ** f"), "complex results")
    )
    for name, sign in (
        *(("eq", "=="), ("ne", "!="), ("lt", "<")),
        *(("le", "<="), ("gt", ">"), ("ge", ">=")),
    ):
        rows.append(Operation("float", f"__{name}__", _M, _compared(sign, name)))
    return [
        *rows,
        Operation("float", "__neg__", _M, ("-f", "-(-f)", "f.__neg__()", "float.__neg__(f)")),
        Operation("float", "__pos__", _M, ("+f", "f.__pos__()", "float.__pos__(f)")),
        Operation("float", "__abs__", _M, ("abs(f)", "f.__abs__()", "float.__abs__(f)")),
    ]


def _members() -> list[Operation]:
    none = "whether there is such an int"
    return [
        Operation(
            "float",
            "__bool__",
            _D,
            ("1 if f else 2", "not f", "f and g", "f or g", "f.__bool__()", "bool(f)"),
            "the truth of the value",
        ),
        Operation("float", "__hash__", _P, ("f.__hash__()", "hash((f, 1))"), "hashing"),
        Operation(
            "float",
            "__int__",
            _D,
            ("int(f)", "f.__int__()", "int(f + 0.5)", "float.__int__(f)", "int(f) + 1"),
            none,
        ),
        Operation("float", "__trunc__", _D, ("f.__trunc__()", "float.__trunc__(f)"), none),
        Operation("float", "__floor__", _D, ("f.__floor__()", "float.__floor__(f)"), none),
        Operation("float", "__ceil__", _D, ("f.__ceil__()", "float.__ceil__(f)"), none),
        Operation(
            "float",
            "__round__",
            _D,
            (
                *("round(f)", "round(f, None)", "f.__round__()", "round(f, 0)", "round(f, 'a')"),
                *("round(number=f)", "round(f, 1.5)", "float.__round__(f)"),
            ),
            none,
        ),
        Operation(
            "float",
            "__round__",
            _P,
            ("round(f, 2)", "round(f, 1)", "round(f, -1)", "round(f, ndigits=3)", "round(f, 400)"),
            "close to a tie: correctly rounded decimals have no theory",
        ),
        Operation(
            "float",
            "__float__",
            _M,
            ("float(f)", "f.__float__()", "float(p)", "float.__float__(f)"),
        ),
        Operation("float", "__float__", _D, ("float(x)", "x.__float__()"), _HUGE),
        Operation("float", "is_integer", _M, ("f.is_integer()", "float.is_integer(f)")),
        Operation(
            "float",
            "as_integer_ratio",
            _D,
            (
                "f.as_integer_ratio() if f == 2.5 or f == 4.0 or f != f else 0",
                "f.as_integer_ratio() if f == 1e300 or f == float('inf') else 0",
            ),
            "the power of two",
        ),
        Operation(
            "float",
            "as_integer_ratio",
            _P,
            ("f.as_integer_ratio() if 0.3 < f < 0.3001 else 0",),
            "small fractions of two are decided, others pinned",
        ),
        Operation("float", "conjugate", _M, ("f.conjugate()", "float.conjugate(f)")),
        Operation("float", "real", _M, ("f.real", "f.real + 1.5")),
        Operation("float", "imag", _M, ("f.imag", "f.imag + f")),
        Operation("float", "hex", _P, ("f.hex()", "float.hex(f)"), _TEXT),
        Operation("float", "fromhex", _M, ("f.fromhex('0x1p3') + f", "float.fromhex('1') * f")),
        Operation(
            "float", "__repr__", _P, ("repr(f)", "str(f)", "f.__repr__()", "[f].__repr__()"), _TEXT
        ),
        Operation(
            "float",
            "__format__",
            _P,
            ("format(f, '.2f')", "f'{f}'", "'%s' % f", "'%.1f' % f"),
            _TEXT,
        ),
        Operation("float", "__getnewargs__", _P, ("f.__getnewargs__()",), "pickling"),
        Operation("float", "__reduce__", _P, ("f.__reduce_ex__(2)",), "pickling"),
        Operation("float", "__sizeof__", _M, ("f.__sizeof__()",)),
        Operation("float", "__getformat__", _M, ("f.__getformat__('double'), f",)),
        Operation("float", "__class__", _M, ("f.__class__", "type(f)", "isinstance(f, float)")),
        Operation(
            "float",
            "copy",
            _M,
            (
                "import copy\nreturn copy.copy(f), copy.deepcopy([f])",
                "from numbers import Real\nreturn isinstance(f, Real), isinstance(f, int)",
            ),
        ),
    ]


def _calls() -> list[Operation]:
    items = "which element is compared how"
    return [
        Operation("float", "min", _D, ("min(f, g)", "max(f, 2, x)", "max([f, 1.5])"), items),
        Operation("float", "sorted", _D, ("sorted([f, g])", "sorted([f, 2, 0.5])"), items),
        Operation(
            "float", "in", _D, ("f in [1.0, 2]", "f in (f,)", "2 in [f]"), "which one is equal"
        ),
        Operation(
            "float",
            "sum",
            _D,
            ("sum([f, g])", "sum([f, 1, 0.5])", "sum([1, f])", "sum([f], 0.5)", "sum([0.1, p, f])"),
            "since 3.12, whether the errors sum up to something",
        ),
        Operation(
            "float", "sum", _D, ("sum([x, 0.5])", "sum([0.1, x, 0.2])", "sum([x], 0.5)"), _HUGE
        ),
        Operation("float", "abs", _M, ("abs(f - 3)",)),
        Operation("float", "complex", _P, ("complex(f)", "f + 1j", "1j * f", "f == 1j"), "complex"),
        Operation(
            "float",
            "int",
            _D,
            ("x / y", "x / 2", "1 / x", "x / p", "x.__truediv__(3)", "x.__rtruediv__(3)"),
            _ZERO,
        ),
        Operation("float", "int", _D, ("x ** -1", "2 ** -abs(x % 5)", "x ** -2"), _ZERO),
        Operation(
            "float",
            "match",
            _D,
            ("match f:\n    case 1.5: return 'a'\n    case float(v) if v > 5: return v",),
            "which case fits",
        ),
        Operation(
            "float",
            "statistics",
            _D,
            ("import statistics\nreturn statistics.fmean([1.0, 2.0]) + f",),
            "nothing",
        ),
    ]


def _suite(expression: str) -> str:
    return f"import math\nreturn {expression}"


def _of(names: str, *arguments: str) -> tuple[str, ...]:
    """Calls of these functions with each list of arguments."""
    return tuple(_suite(f"math.{name}({given})") for name in names.split() for given in arguments)


def _each(names: str, treatment: Treatment, reason: str, *arguments: str) -> list[Operation]:
    return [
        Operation("math", name, treatment, _of(name, *arguments), reason) for name in names.split()
    ]


def _math() -> list[Operation]:
    whole = "whether there is such an int"
    return [
        *_each("sqrt", _D, _DOMAIN, "f", "f + 1.0", "x", "p", "'a'", "f, 1", ""),
        *_each("exp expm1 sinh cosh", _D, _DOMAIN, "f", "p", "x"),
        *_each("log log2 log10 log1p", _D, _DOMAIN, "f", "p", "abs(f) + 1.0"),
        *_each("log", _D, _DOMAIN, "f, 2", "f, g", "abs(f) + 1, 10", "8, f", "f, 'a'"),
        *_each("log log2 log10", _P, "of a huge int, in two parts", "x"),
        *_each("sin cos tan", _D, _DOMAIN, "f", "x"),
        *_each("asin acos", _D, _DOMAIN, "f", "p"),
        *_each("atan tanh", _M, "", "f", "p"),
        *_each("floor ceil trunc", _D, whole, "f", "x", "f * 2.0"),
        *_each("fabs", _M, "", "f", "p", "-f"),
        *_each("fabs", _D, _HUGE, "x"),
        *_each("isnan isinf isfinite", _M, "", "f", "p", "f + 1.0", "'a'"),
        *_each("isnan isinf isfinite", _D, _HUGE, "x"),
        *_each(
            "isclose", _D, "whether the tolerances are fit", "f, g", "f, 1.0", "f, 1, rel_tol=0.5"
        ),
        *_each("isclose", _D, "whether the tolerances are fit", "f, 2.0, abs_tol=g", "f, f"),
        *_each("copysign", _D, "whether it is nan", "f, g", "f, -1.0", "1.0, f", "3, p", "p, -0.0"),
        *_each("fmod", _D, _DOMAIN, "f, g", "f, 2.5", "f, 3", "x, 2.5", "7.5, f", "f"),
        *_each("modf", _D, "whether it is infinite", "f", "p"),
        *_each("ldexp", _D, "whether it is too large", "f, 3", "f, -2", "f, 1000", "f, -1000"),
        *_each("ldexp", _P, "the exponent", "1.5, x % 5", "f, -1050"),
        *_each("pow", _D, _DOMAIN, "f, 2", "f, g", "f, 0.5", "2.0, f", "x, 2", "0.0, f"),
        *_each("degrees radians", _M, "", "f", "p"),
        *_each("prod", _M, "", "[f, g]", "[f, 2], start=p", "[]", "[x, y]"),
        *_each("prod", _D, _HUGE, "[f, x]", "[x], start=0.5"),
        *_each("hypot dist fsum", _P, _ALGORITHM, "[f, 1.0], [g, 2.0]")[1:2],
        *_each("hypot", _P, _ALGORITHM, "f, g"),
        *_each("fsum", _P, _ALGORITHM, "[f, 1.0]"),
        *_each("frexp gamma lgamma erf erfc asinh ulp", _P, "no theory", "f"),
        *_each("acosh", _P, "no theory", "abs(f) + 1.0"),
        *_each("atanh", _P, "no theory", "f"),
        *_each("atan2 nextafter remainder", _P, "no theory", "f, 2.5"),
        *(
            Operation("math", name, _P, _of(name, "f"), "no theory", since=(3, 11))
            for name in ("cbrt", "exp2")
        ),
        Operation("math", "fma", _P, _of("fma", "f, g, 1.0"), "no theory", since=(3, 13)),
        Operation("math", "sumprod", _P, _of("sumprod", "[f], [g]"), _ALGORITHM, since=(3, 12)),
    ]


def _math_of_ints() -> list[Operation]:
    divisor = "which divisor it is"
    return [
        *_each("gcd", _D, divisor, "x, 12", "18, x", "x", "x, 0", "p, 6", "x, 2.5"),
        *_each("gcd", _D, divisor, "x % 5, y % 7", "4, 6, x"),
        *_each("lcm", _D, divisor, "x, 4", "x", "p, 6"),
        *_each("factorial", _P, "negative ones are decided", "x % 9"),
        *_each("comb perm", _P, "negative ones are decided", "x % 9, 2", "5, x"),
        *_each("isqrt", _D, "which number it is", "x % 9", "x % 90 + 400", "p", "-1 - abs(x)"),
    ]
