"""CrossHair, reading the same contracts, with the whole budget for each condition."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from versus.judge import Counterexample
from versus.measure import Run

_MESSAGE = re.compile(r"^(?P<file>[^\n]*?):(?P<line>\d+): error: (?P<text>.*)", re.DOTALL)
_CALLING = " when calling "


class CrossHair:
    """`crosshair check FILE`; it goes on to the next condition after a counterexample."""

    name = "crosshair"

    def __init__(self, start: Sequence[str], version: str) -> None:
        """`start` are the words that start CrossHair."""
        self.start = list(start)
        self.version = version

    def command(self, file: str, functions: Sequence[str], budget: float) -> list[str]:
        """The budget is CrossHair's own limit, which it counts in CPU seconds."""
        del functions  # it looks at functions with a contract and at no other
        return [
            *(*self.start, "check", "--report_all", "--analysis_kind=PEP316,asserts"),
            f"--per_condition_timeout={budget:g}",
            file,
        ]

    def counterexamples(self, run: Run) -> list[Counterexample]:
        """The calls named in the error messages; a message without one gives none."""
        found = []
        for message in _messages(run.stdout):
            match = _MESSAGE.match(message)
            call = match and called(match["text"])
            if match and call:
                found.append(Counterexample(call, int(match["line"])))
        return found

    def proved(self, run: Run) -> bool:
        """Every condition is confirmed over all paths."""
        verdicts = [line for line in run.stdout.splitlines() if ": info: " in line]
        return bool(verdicts) and all("Confirmed over all paths" in line for line in verdicts)


def _messages(output: str) -> Iterator[str]:
    """Each message with the lines it goes on to: a text may contain line ends."""
    message = ""
    for line in output.splitlines():
        if re.match(r"^.*?:\d+: (error|info|warning): ", line):
            if message:
                yield message
            message = line
        elif message:
            message += "\n" + line
    if message:
        yield message


def called(text: str) -> str | None:
    """The call in `... when calling f(1, ')') (which returns 2)`.

    The shortest text that is a call: whatever follows would have to complete an expression that
    is already complete. The message before may itself contain the words.
    """
    start = text.find(_CALLING)
    while start >= 0:
        rest = text[start + len(_CALLING) :]
        for end in (index + 1 for index, char in enumerate(rest) if char == ")"):
            if _is_call(rest[:end]):
                return rest[:end]
        start = text.find(_CALLING, start + 1)
    return None


def _is_call(text: str) -> bool:
    try:
        return isinstance(ast.parse(text, mode="eval").body, ast.Call)
    except (SyntaxError, ValueError):
        return False
