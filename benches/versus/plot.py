"""The picture: CPU seconds to the first counterexample, a row per case, a mark per tool.

Plain SVG text, no library. Colours are told apart by people who see few of them, and the text
follows the reader's light or dark scheme.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from versus.figures import Comparison, cpu

_LEFT, _RIGHT, _TOP, _BOTTOM, _ROW, _WIDTH = 150, 80, 64, 30, 17, 860
_MISSED = _WIDTH - 34  # the middle of the column for what was not found
_LOW, _HIGH = 0.05, 100.0  # seconds at the ends of the axis
_TOOLS = {"pef": "PEF", "crosshair": "CrossHair", "hypothesis": "Hypothesis"}
_STYLE = """
  text { font: 11px system-ui, sans-serif; fill: #24292f; }
  .title { font-size: 14px; font-weight: 600; }
  .axis { fill: #57606a; }
  .line { stroke: #d0d7de; stroke-width: 1; }
  .row { stroke: #d0d7de; stroke-width: 1; stroke-dasharray: 1 3; }
  .pef { fill: #0072b2; stroke: #0072b2; }
  .crosshair { fill: #d55e00; stroke: #d55e00; }
  .hypothesis { fill: #009e73; stroke: #009e73; }
  .neutral { stroke: #57606a; }
  .missed { fill: none; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .axis { fill: #9198a1; }
    .line, .row { stroke: #3d444d; }
    .pef { fill: #56b4e9; stroke: #56b4e9; }
    .crosshair { fill: #f0803c; stroke: #f0803c; }
    .hypothesis { fill: #2fc59b; stroke: #2fc59b; }
    .missed { fill: none; }
  }
"""


def svg(cases: Sequence[Comparison]) -> str:
    """The picture of all cases, those PEF needs least for on top."""
    rows = sorted(cases, key=lambda case: (not case.found("pef"), _own_time(case), case.name))
    height = _TOP + _ROW * len(rows) + _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}"'
        f' viewBox="0 0 {_WIDTH} {height}" role="img">',
        "<title>CPU seconds to the first counterexample</title>",
        f"<style>{_STYLE}</style>",
        f'<text class="title" x="{_LEFT}" y="18">CPU seconds to the first counterexample</text>',
        *_legend(),
        *_axis(height),
    ]
    for number, case in enumerate(rows):
        parts += _row(case, _TOP + _ROW * number + _ROW / 2)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _own_time(case: Comparison) -> float:
    return cpu(case.entries["pef"]) if "pef" in case.entries else _HIGH


def position(seconds: float) -> float:
    """Where a time lies on the axis; what is off the axis lies at its end."""
    clipped = min(max(seconds, _LOW), _HIGH)
    part = math.log(clipped / _LOW) / math.log(_HIGH / _LOW)
    return _LEFT + part * (_WIDTH - _RIGHT - _LEFT)


def _legend() -> Iterator[str]:
    x = float(_LEFT + 6)
    for tool, title in _TOOLS.items():
        yield _mark(tool, x, 34, missed=False)
        yield f'<text x="{x + 10}" y="38">{title}</text>'
        x += 100
    yield _mark("neutral", x, 34, missed=True)
    yield f'<text x="{x + 10}" y="38">hollow: not found</text>'


def _axis(height: int) -> Iterator[str]:
    bottom = height - _BOTTOM
    for value in (0.1, 0.3, 1, 3, 10, 30, 100):
        x = round(position(value), 1)
        yield f'<line class="line" x1="{x}" y1="{_TOP - 4}" x2="{x}" y2="{bottom}"/>'
        for y in (_TOP - 8, bottom + 14):
            yield f'<text class="axis" x="{x}" y="{y}" text-anchor="middle">{value:g} s</text>'
    yield f'<text class="axis" x="{_MISSED}" y="{_TOP - 8}" text-anchor="middle">missed</text>'


def _row(case: Comparison, y: float) -> Iterator[str]:
    yield f'<line class="row" x1="{_LEFT}" y1="{y}" x2="{_WIDTH - 10}" y2="{y}"/>'
    yield f'<text x="{_LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(case.name)}</text>'
    for place, tool in enumerate(reversed(_TOOLS)):
        entry = case.entries.get(tool)
        if entry is None:
            continue
        missed = entry.outcome != "found"
        # What was not found has no time: beside the axis, the tools next to each other.
        x = _MISSED + 14 * (1 - place) if missed else position(cpu(entry))
        yield _mark(tool, x, y, missed)


def _mark(tool: str, x: float, y: float, missed: bool) -> str:
    style = f"{tool} missed" if missed else tool
    x, y = round(x, 1), round(y, 1)
    if tool == "crosshair":
        return f'<rect class="{style}" x="{x - 4}" y="{y - 4}" width="8" height="8"/>'
    if tool == "hypothesis":
        return f'<path class="{style}" d="M {x} {y - 5} l 5 9 h -10 z"/>'
    return f'<circle class="{style}" cx="{x}" cy="{y}" r="4.5"/>'
