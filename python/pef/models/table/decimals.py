"""Rows of `decimal`."""

from __future__ import annotations

# A type is modelled once its module is loaded, which a case cannot do for itself.
import decimal as _loaded

from pef.models.table.rows import Operation, Treatment

_D, _P = Treatment.DECIDED, Treatment.PINNED

_SIGN = "the sign"
_DIGITS = "the sign, and whether there are more digits than the context has"


def _suites(*expressions: str) -> tuple[str, ...]:
    return tuple(f"{_imported(expression)}\nreturn {expression}" for expression in expressions)


def _imported(expression: str) -> str:
    names = ("Context", "Decimal", "ROUND_CEILING", "ROUND_HALF_UP", "ROUND_UP")
    used = ", ".join(name for name in names if name in expression)
    return f"from {_loaded.__name__} import {used}"


_CENTS = "(Decimal(x % 1000 - 500) / 100)"


def rows() -> tuple[Operation, ...]:
    """All rows, in the order of the documentation."""
    return (*_made(), *_computed(), *_rounded(), *_settled())


def _row(name: str, reason: str, *expressions: str) -> Operation:
    return Operation("Decimal", name, _D, _suites(*expressions), reason)


def _made() -> list[Operation]:
    return [
        _row(
            *("Decimal", _SIGN, "Decimal(x)", "Decimal(p)", "Decimal(value=x)"),
            *("isinstance(Decimal(x), Decimal)", "type(Decimal(x)) is Decimal"),
            *("Decimal(Decimal(x))", "Decimal(str(x % 50))"),
        ),
        _row("Decimal", "what the characters are", "Decimal(s[:2])", "Decimal('1' + s[:1])"),
        _row(
            *("as_tuple", "the number of digits", "Decimal(x % 1000).as_tuple()"),
            *(f"{_CENTS}.adjusted()", f"str({_CENTS})", f"f'{{{_CENTS}}}'", f"repr({_CENTS})"),
        ),
        _row(
            *("is_zero", _SIGN, "Decimal(x).is_zero()", "Decimal(x).is_nan()"),
            *("Decimal(x).is_signed()", "1 if Decimal(x) else 2", "Decimal(x).is_finite()"),
        ),
    ]


def _computed() -> list[Operation]:
    return [
        _row(
            *("__eq__", _SIGN, "Decimal(x) == Decimal('1.5')", "Decimal('1.5') < Decimal(x)"),
            *("Decimal(x) >= y", "x != Decimal('2')", "Decimal(x) == 2.5", "Decimal(x) < 'a'"),
            *("Decimal(x) == 'a'", "Decimal(x) < Decimal('NaN')", "Decimal(x) < Decimal('inf')"),
        ),
        _row(
            *("__add__", _DIGITS, "Decimal(x % 99) + Decimal('0.5')", "1 - Decimal(x % 99)"),
            *("Decimal(x % 9) * Decimal(y % 9)", "Decimal('1.5') * (x % 99)", "-Decimal(x)"),
            *("abs(Decimal(x % 99))", "Decimal(x) + None", "Decimal(x) * 1.5", "+Decimal(x % 9)"),
            *("sum([Decimal(x % 9), Decimal(y % 9)])", "Decimal(x) + Decimal('inf')"),
        ),
        _row(
            *("__truediv__", "whether the quotient has an end", "Decimal(x % 99) / 8"),
            *("Decimal(x % 99) / 3", "Decimal(1) / (x % 5)", "Decimal(x % 3) / Decimal(0)"),
            *("1 / Decimal(x % 5)", "Context(prec=3).divide(Decimal(x % 99), 7)"),
        ),
        _row(
            *("__floordiv__", _SIGN, "Decimal(x % 99 - 50) // 7", "Decimal(x % 99 - 50) % 7"),
            *("divmod(Decimal(x % 99), Decimal('2.5'))", "100 // Decimal(x % 9)"),
        ),
        _row(
            *("__pow__", "whether it is zero", "Decimal(x % 9) ** 2", f"{_CENTS} ** 3"),
            "pow(Decimal(x % 9), 1)",
        ),
        _row(
            *("max", _SIGN, "Decimal(x % 9).max(Decimal(3))", "Decimal(3).compare(Decimal(x % 9))"),
            *("max(Decimal(x), Decimal(3))", "min(Decimal(x), 7)"),
        ),
    ]


def _rounded() -> list[Operation]:
    return [
        _row(
            *("quantize", _DIGITS, f"{_CENTS}.quantize(Decimal('0.1'))"),
            *(f"{_CENTS}.quantize(Decimal('0.1'), ROUND_HALF_UP)", f"round({_CENTS}, 1)"),
            *(f"{_CENTS}.quantize(Decimal('1'), rounding=ROUND_UP)", f"round({_CENTS})"),
            *(f"{_CENTS}.to_integral_value(ROUND_CEILING)", "Decimal(x).quantize(Decimal('0.01'))"),
        ),
        _row(
            *("__int__", _SIGN, f"int({_CENTS})", "int(Decimal(x))"),
            *(f"__import__('math').floor({_CENTS})", f"__import__('math').ceil({_CENTS})"),
        ),
        _row("normalize", "the number of digits", "Decimal(x % 1000).normalize()"),
    ]


def _settled() -> list[Operation]:
    cases = (
        *("hash(Decimal(x))", "float(Decimal(x % 99))", "Decimal(x % 99).sqrt()"),
        *("Decimal(x % 9).exp()", "Decimal(x % 9 + 1).ln()", "2 ** Decimal(x % 9)"),
        *("format(Decimal(x % 9), '.2f')", "Decimal(x % 9) ** Decimal('0.5')", "Decimal(f)"),
        *("Decimal((0, (1, x % 10), -1))", "Decimal(x, y)"),
    )
    reason = "digit after digit is computed, or another type is needed"
    return [Operation("Decimal", "sqrt", _P, _suites(*cases), reason)]
