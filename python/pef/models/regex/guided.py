"""Where the groups of a match lie, asking only about choices.

CPython takes, at each choice of a pattern, the first alternative with which the rest still
matches. For a regular pattern "the rest still matches" is one question about the whole text, so
the match can be walked through without going back: one decision per choice, not per character.
And where the next characters settle how long a run is, there is no choice: `(\\d+)-(\\d{2})` ends
its first group where the digits end, which is a term.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pef._native import apply, decide, is_symbolic
from pef.models.regex.expressions import NOTHING, NotRegularError, bare, empties, fixed_width
from pef.models.regex.language import Formula, text_formula, truth
from pef.models.regex.outlook import Following, following, has_group, looks_back
from pef.models.regex.syntax import Choice, Group, Manner, Node, One, Repeat, Sequence, Syntax
from pef.models.regex.units import native
from pef.records import record, replace

Spans = list[tuple[Any, Any]]
"""Of the match and of each group, (-1, -1) for one that has none."""

Located = tuple[Spans, int | None]
"""The spans of a match and the number of its last group."""


@record(frozen=True)
class _Edge:
    """The start or the end of a group."""

    group: int
    opens: bool


_Steps = tuple["Node | _Edge", ...]


class Guide:
    """Walks through a match that is known to exist."""

    def __init__(
        self, syntax: Syntax, text: Any, start: Any, *, whole: bool = False, advance: bool = False
    ) -> None:
        """`start` may be symbolic; with `advance`, the match is not empty."""
        self._syntax = syntax
        self._text = text
        self._start = start
        self._position = start
        self._whole = whole
        self._advance = advance
        self._opened: dict[int, Any] = {}
        self._spans: dict[int, tuple[Any, Any]] = {}
        self._last_group: int | None = None

    def located(self) -> Located:
        """The spans; `NotRegularError` if the walk comes to something the matcher must do."""
        rest: _Steps = (self._syntax.root,)
        while rest:
            rest = self._step(rest[0], rest[1:])
        groups = range(1, self._syntax.groups + 1)
        spans = [self._spans.get(group, (-1, -1)) for group in groups]
        return [(self._start, self._position), *spans], self._last_group

    def _step(self, step: Node | _Edge, rest: _Steps) -> _Steps:
        """Takes one step; what is left to do."""
        if isinstance(step, _Edge):
            self._pass(step)
            return rest
        width = fixed_width(step)
        if width is not None and not has_group(step):
            self._position = self._position + width if width else self._position
            return rest
        match step:
            case Sequence(items):
                return (*items, *rest)
            case Group(index, body):
                return (_Edge(index, opens=True), body, _Edge(index, opens=False), *rest)
            case Choice(items):
                return self._chosen(items, rest)
            case Repeat():
                return self._repeated(step, rest)
            case _:
                raise NotRegularError

    def _pass(self, edge: _Edge) -> None:
        if edge.opens:
            self._opened[edge.group] = self._position
        else:
            self._spans[edge.group] = self._opened[edge.group], self._position
            self._last_group = edge.group

    def _chosen(self, items: tuple[Node, ...], rest: _Steps) -> _Steps:
        for item in items[:-1]:
            if self._can_match((item, *rest)):
                return (item, *rest)
        return (items[-1], *rest)

    def _repeated(self, repeat: Repeat, rest: _Steps) -> _Steps:
        if isinstance(repeat.body, One) and self._is_settled(repeat, rest):
            self._position = self._end_of_run(repeat, rest)
            return rest
        if repeat.most == 0:
            return rest
        if repeat.manner is Manner.POSSESSIVE or empties(bare(repeat.body)) != NOTHING:
            raise NotRegularError
        once = (repeat.body, *_further(repeat), *rest)
        if repeat.least > 0:
            return once
        if repeat.manner is Manner.LAZY:
            return rest if self._can_match(rest) else once
        return once if self._can_match(once) else rest

    def _is_settled(self, repeat: Repeat, rest: _Steps) -> bool:
        """Whether the length of a run of one set of characters follows from what comes next."""
        if repeat.manner is Manner.POSSESSIVE or self._may_be_rejected():
            return False
        if not self._following(rest).units & _units(repeat):
            return True
        return repeat.manner is Manner.GREEDY and not _nodes(rest)

    def _may_be_rejected(self) -> bool:
        """Whether a match that ended here would not count."""
        return self._advance and self._position is self._start

    def _end_of_run(self, repeat: Repeat, rest: _Steps) -> Any:
        start, units = self._position, _units(repeat)
        length = apply("length", self._text)
        after = self._following(rest)
        if not after.units:
            return length
        code = after.units.single()
        if code is not None and not after.end:
            # The run has no such character, so it ends where the next one is.
            return apply("find", self._text, self._unit(code), start)
        width = apply("span", apply("slice", self._text, start, length), table=native(units))
        if (
            after.units & units
            and repeat.most is not None
            and decide(width > repeat.most, "domain")
        ):
            return start + repeat.most
        return start + width

    def _unit(self, code: int) -> str | bytes:
        return chr(code) if isinstance(self._text, str) else bytes([code])

    def _following(self, rest: _Steps) -> Following:
        return following(self._syntax, _nodes(rest), self._whole)

    def _can_match(self, rest: _Steps) -> bool:
        """Whether the rest of the pattern can match from here on."""
        nodes = tuple(map(bare, _nodes(rest)))
        advance = self._may_be_rejected()
        if not is_symbolic(self._position):
            wanted = _formula(self._syntax, self._position, nodes, self._whole, advance)
            return decide(truth(wanted, self._text), "domain")
        if any(map(looks_back, nodes)):
            raise NotRegularError
        wanted = _formula(self._syntax, 0, nodes, self._whole, advance)
        tail = apply("slice", self._text, self._position, apply("length", self._text))
        return decide(truth(wanted, tail), "domain")


def _further(repeat: Repeat) -> tuple[Node, ...]:
    """What is left of a repeat after one round."""
    if repeat.most == 1:
        return ()
    most = None if repeat.most is None else repeat.most - 1
    return (replace(repeat, least=max(repeat.least - 1, 0), most=most),)


def _nodes(steps: _Steps) -> tuple[Node, ...]:
    return tuple(step for step in steps if not isinstance(step, _Edge))


def _units(repeat: Repeat) -> Any:
    if not isinstance(repeat.body, One):
        raise NotRegularError
    return repeat.body.units


@lru_cache(maxsize=4096)
def _formula(
    syntax: Syntax, position: int, nodes: tuple[Node, ...], whole: bool, advance: bool
) -> Formula:
    return text_formula(syntax.all_units, position, Sequence(nodes), whole=whole, advance=advance)
