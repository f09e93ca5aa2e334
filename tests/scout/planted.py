"""Functions with one planted error each, behind what sampling alone would not guess."""

import dataclasses
import enum
import re
from typing import Literal, Optional, TypedDict


def key_and_value(line: str) -> int:
    name, found, value = line.partition("=")
    if found and name.strip() == "retries":
        return 100 // int(value.strip() or "0")
    return 0


def five_fields(expression: str) -> list[int]:
    fields = expression.split()
    if len(fields) != 5:
        return []
    steps = [field.split("/") for field in fields]
    return [60 // int(step[1]) for step in steps if len(step) == 2 and step[1].isdigit()]


_STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)")


def stamp(text: str) -> str:
    match = _STAMP.match(text)
    if match is None:
        return ""
    months = ["jan", "feb", "mar"]
    return months[int(match.group(2)) - 1] if int(match.group(2)) < 9 else ""


def section_header(text: str) -> str:
    for line in text.splitlines():
        if line.startswith("[["):
            return line[line.index("]]") :]
    return ""


class Visitor:
    def visit(self, command: str) -> int:
        handler = getattr(self, "visit_" + command, None)
        return 0 if handler is None else handler()

    def visit_reset(self) -> int:
        return 1 // 0


def dispatched(command: str) -> int:
    return Visitor().visit(command)


def named_by_default(document: dict[str, dict[str, str | int]]) -> str:
    return "".join(_rendered(part) for part in document.values())


def _rendered(part: dict[str, str | int], text_key: str = "#body") -> str:
    return "<b>" + part[text_key] if text_key in part else ""


def nested(table: dict[str, list[int]]) -> int:
    if len(table) == 2 and "low" in table and "high" in table:
        return table["low"][0]
    return 0


def not_a_number(value: float) -> int:
    return 0 if value == value else int(value)


def edge_of_a_word(number: int) -> bytes:
    return number.to_bytes(4, "big", signed=True) if -(2**31) <= number <= 2**31 else b""


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"


@dataclasses.dataclass
class Shape:
    color: Color
    sides: int
    inside: Optional["Shape"] = None


def inner_color(shape: Shape) -> str:
    if shape.sides == 17 and shape.color is Color.GREEN:
        return shape.inside.color.value
    return ""


class Options(TypedDict, total=False):
    mode: Literal["fast", "safe"]
    level: int


def option(options: Options) -> int:
    return 10 // options["level"] if options.get("mode") == "safe" and "level" in options else 0


def header(data: bytes) -> int:
    return data[4] if data.startswith(b"PK\x03\x04") else 0


def many(*words: str, strict: bool = False) -> str:
    return words[3] if strict and len(words) == 3 else ""


def tagged(data: bytes) -> int:
    kind, length, content = data[:1], data[1:2], data[2:]
    if not content or length[0] != len(content):
        return 0
    if kind[0] != 23:
        return 1
    unused, bits = content[0], content[1:]
    return bits[-1] >> unused if unused else len(bits)
