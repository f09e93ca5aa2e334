"""Rows of `datetime`."""

from __future__ import annotations

# A type is modelled once its module is loaded, which a case cannot do for itself.
import datetime as _loaded

from pef.models.table.rows import Operation, Treatment

_M, _D, _P = Treatment.MODELLED, Treatment.DECIDED, Treatment.PINNED

_RANGE = "whether there is such a date"
_DAYS = "whether there are too many days"


def _suites(*expressions: str) -> tuple[str, ...]:
    head = f"from {_loaded.__name__} import date, datetime, time, timedelta, timezone\n"
    return tuple(f"{head}return {expression}" for expression in expressions)


_DATE = "date(x % 9999 + 1, y % 12 + 1, z % 28 + 1)"
_MOMENT = "datetime(x % 9999 + 1, 5, y % 28 + 1, z % 24, 30, 7)"
_SPAN = "timedelta(x % 1000, y % 1000, z % 1000)"


def rows() -> tuple[Operation, ...]:
    """All rows, in the order of the documentation."""
    return (*_dates(), *_durations(), *_times(), *_settled())


def _dates() -> list[Operation]:
    made = _suites(
        *("date(x, y, z)", "date(2020, x, 1)", "date(year=2020, month=2, day=x)", "date(x, 1)"),
        *("date(2020, p, 1)", "date(f, 1, 1)", "date(2020, x, 'a')"),
    )
    parts = _suites(
        *(f"{_DATE}.year", f"{_DATE}.month + {_DATE}.day", f"{_DATE}.weekday()"),
        *(f"{_DATE}.toordinal()", f"isinstance({_DATE}, date)", f"type({_DATE}) is date"),
        *(f"{_DATE} == date(2020, 1, 1)", f"date(2020, 1, 1) < {_DATE}", f"{_DATE} != 3"),
        *(f"{_DATE} >= {_DATE}", f"{_DATE} == datetime(2020, 1, 1)", f"{_DATE} < 3"),
    )
    return [
        Operation("datetime", "date", _D, made, _RANGE),
        Operation("datetime", "date", _D, parts, "nothing"),
        Operation("datetime", "date.isoweekday", _D, _suites(f"{_DATE}.isoweekday()"), "the truth"),
        Operation(
            "datetime",
            "date.isocalendar",
            _D,
            _suites(f"{_DATE}.isocalendar()", f"{_DATE}.isocalendar()[1]"),
            "the week",
        ),
        Operation(
            "datetime",
            "date.timetuple",
            _D,
            _suites(
                *(f"{_DATE}.timetuple()[7]", f"{_DATE}.timetuple().tm_yday > 60"),
                *(f"{_MOMENT}.timetuple().tm_hour", f"tuple({_DATE}.timetuple())"),
            ),
            "nothing",
        ),
        Operation(
            "datetime",
            "date.fromordinal",
            _D,
            _suites("date.fromordinal(x)", "date.fromordinal(x % 9999 + 1).month"),
            _RANGE,
        ),
        Operation(
            "datetime",
            "date.replace",
            _D,
            _suites("date(2020, 2, 3).replace(day=x)", f"{_DATE}.replace(year=y % 5)"),
            _RANGE,
        ),
        Operation(
            "datetime",
            "date.__add__",
            _D,
            _suites(
                *(f"{_DATE} + timedelta(1)", f"{_DATE} - timedelta(x % 5)", f"{_DATE} + 1"),
                *(f"timedelta(3) + {_DATE}", f"{_DATE} - date(2020, 1, 1)", f"1 - {_DATE}"),
                *(f"date(2020, 1, 1) - {_DATE}", f"date(2020, 1, 1) + {_SPAN}", f"{_DATE} + None"),
            ),
            _RANGE,
        ),
        Operation(
            "datetime",
            "date.isoformat",
            _D,
            _suites(f"{_DATE}.isoformat()", f"str({_DATE})", f"f'{{{_DATE}}}'"),
            "the number of digits",
        ),
    ]


def _durations() -> list[Operation]:
    made = _suites(
        *("timedelta(x)", "timedelta(seconds=x)", "timedelta(1, x, y)", "timedelta(hours=x)"),
        *("timedelta(weeks=x, minutes=y)", "timedelta(milliseconds=x)", "timedelta('a', x)"),
    )
    return [
        Operation("datetime", "timedelta", _D, made, _DAYS),
        Operation(
            "datetime",
            "timedelta",
            _D,
            _suites(
                *(f"{_SPAN}.days", f"{_SPAN}.seconds", f"{_SPAN}.microseconds"),
                *(
                    f"{_SPAN}.total_seconds()",
                    f"{_SPAN} < timedelta(5)",
                    f"timedelta(5) >= {_SPAN}",
                ),
                *(f"{_SPAN} == {_SPAN}", f"1 if {_SPAN} else 2", f"{_SPAN} == 3"),
            ),
            "nothing",
        ),
        Operation(
            "datetime",
            "timedelta.__add__",
            _D,
            _suites(
                *(f"{_SPAN} + timedelta(1)", f"timedelta(1) - {_SPAN}", f"-{_SPAN}", f"+{_SPAN}"),
                *(f"abs({_SPAN} - timedelta(500))", f"{_SPAN} + 1", f"{_SPAN} * (x % 9)"),
                *("timedelta(1) * x", "x * timedelta(hours=1)", f"3 * {_SPAN}", f"{_SPAN} * None"),
            ),
            _DAYS,
        ),
        Operation(
            "datetime",
            "timedelta.__floordiv__",
            _D,
            _suites(
                *("timedelta(14) // x", f"{_SPAN} // timedelta(2)", f"timedelta(99) // {_SPAN}"),
                *(f"{_SPAN} % timedelta(hours=7)", f"divmod({_SPAN}, timedelta(3))"),
                *(f"{_SPAN} / timedelta(3)", f"{_SPAN} / (x % 5)", "timedelta(3) / x"),
            ),
            "whether the divisor is zero",
        ),
    ]


def _times() -> list[Operation]:
    made = _suites(
        *("datetime(2020, 1, x, y, z)", "datetime(x, 1, 1)", "datetime(2020, 1, 1, second=x)"),
        "datetime(2020, 1, 1, 0, 0, 0, x)",
    )
    return [
        Operation("datetime", "datetime", _D, made, _RANGE),
        Operation(
            "datetime",
            "datetime",
            _D,
            _suites(
                *(f"{_MOMENT}.hour", f"{_MOMENT}.date()", f"{_MOMENT}.time()", f"{_MOMENT}.tzinfo"),
                *(f"{_MOMENT} < datetime(2020, 1, 1)", f"datetime(2020, 1, 1) == {_MOMENT}"),
                *(f"{_MOMENT} - datetime(2020, 1, 1)", f"datetime(2020, 1, 1) - {_MOMENT}"),
                *(f"{_MOMENT} + timedelta(hours=z % 99)", f"{_MOMENT} - {_SPAN}"),
                *(f"{_MOMENT} < datetime(2020, 1, 1, tzinfo=timezone.utc)", f"{_MOMENT} < 3"),
                *(f"datetime.combine({_DATE}, time(1, 2))", f"{_MOMENT}.replace(minute=x)"),
                *(f"{_MOMENT}.isoformat() if x == 5 else 0", f"{_MOMENT}.weekday()"),
            ),
            _RANGE,
        ),
        Operation("datetime", "time", _D, _suites("time(x, y)", "time(1, second=x)"), _RANGE),
        Operation(
            "datetime",
            "time",
            _D,
            _suites(
                *("time(x % 24, y % 60).hour", "time(x % 24) < time(5)", "time(5) == time(x % 24)"),
                *("time(x % 24).replace(minute=y)", "time(x % 24, 5).isoformat()"),
            ),
            _RANGE,
        ),
    ]


def _settled() -> list[Operation]:
    return [
        Operation(
            "datetime",
            "strftime",
            _P,
            _suites(f"{_MOMENT}.strftime('%H')", f"hash({_DATE})"),
            "the C library is asked",
        ),
        Operation(
            "datetime",
            "timezone",
            _P,
            _suites("datetime(2020, 1, x % 28 + 1, tzinfo=timezone.utc).day"),
            "time zones",
        ),
    ]
