"""Log-log plots as SVG, one panel per subject, readable on light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import groupby

from micro.growth import Curve

_WIDTH, _HEIGHT, _COLUMNS = 400, 300, 2
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 24, 30, 84
_COLOURS = ("#1f77b4", "#d1495b", "#2a9d5c", "#b8860b", "#7b5ea7")
_STYLE = "font-family:system-ui,sans-serif;font-size:11px;fill:#7a7f87"


def svg(curves: Sequence[Curve]) -> str:
    """The whole picture; curves of one subject share a panel and stand next to each other."""
    panels = [list(group) for _, group in groupby(curves, lambda curve: curve.sweep.subject)]
    rows = math.ceil(len(panels) / _COLUMNS)
    width, height = _COLUMNS * _WIDTH, rows * _HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" style="{_STYLE}">',
        "<title>Processor time per path against size, both logarithmic</title>",
    ]
    for number, panel in enumerate(panels):
        x, y = number % _COLUMNS * _WIDTH, number // _COLUMNS * _HEIGHT
        parts += [f'<g transform="translate({x},{y})">', *_panel(panel), "</g>"]
    return "\n".join([*parts, "</svg>", ""])


class _Axis:
    """From a value to a place: equal factors are equal distances."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self.low, self.high = math.log10(min(values)), math.log10(max(values))
        self._start, self._end = start, end

    def __call__(self, value: float) -> float:
        part = (math.log10(value) - self.low) / max(self.high - self.low, 1e-9)
        return round(self._start + part * (self._end - self._start), 1)

    def decades(self) -> list[float]:
        """The powers of ten in between."""
        return [10.0**power for power in range(math.ceil(self.low), math.floor(self.high) + 1)]


def _panel(curves: Sequence[Curve]) -> list[str]:
    sizes = sorted({size for curve in curves for size, _ in curve.points})
    costs = [cost for curve in curves for _, cost in curve.points]
    across = _Axis(sizes, _LEFT, _WIDTH - _RIGHT)
    up = _Axis([min(costs) / 1.5, max(costs) * 1.5], _HEIGHT - _BOTTOM, _TOP)
    subject = escape(curves[0].sweep.subject)
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = [f'<text x="{_LEFT}" y="18" font-weight="bold">{subject}</text>']
    for size in sizes:
        parts.append(
            f'<text x="{across(size)}" y="{bottom + 14}" text-anchor="middle">{size}</text>'
        )
    for cost in up.decades():
        y = up(cost)
        parts += [
            f'<line x1="{_LEFT}" x2="{right}" y1="{y}" y2="{y}" stroke="#7a7f87" opacity="0.3"/>',
            f'<text x="{_LEFT - 5}" y="{y + 4}" text-anchor="end">{_time(cost)}</text>',
        ]
    for number, curve in enumerate(curves):
        colour = _COLOURS[number % len(_COLOURS)]
        points = " ".join(f"{across(size)},{up(cost)}" for size, cost in curve.points)
        label = escape(f"{curve.sweep.name}: {curve.exponent:.2f}")
        y = bottom + 30 + 13 * number
        parts += [
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>',
            f'<text x="{_LEFT}" y="{y}" style="fill:{colour}">{label}</text>',
        ]
    return parts


def _time(nanoseconds: float) -> str:
    for unit, factor in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= factor:
            return f"{nanoseconds / factor:g} {unit}"
    return f"{nanoseconds:g} ns"
