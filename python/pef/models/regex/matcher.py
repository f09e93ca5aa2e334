"""A backtracking matcher that asks its subject about characters.

It tries alternatives in CPython's order, so that the first match it finds is CPython's. What it
needs to know about the subject it asks for, question by question: for a plain text these are
lookups, for a symbolic one decisions. Positions are plain numbers.

The state of a match is immutable, so going back is taking an older state from the stack.
"""

from __future__ import annotations

from typing import Protocol

from pef.models.regex.program import (
    Enter,
    Inner,
    Instruction,
    Jump,
    Mark,
    Possessive,
    Program,
    Run,
    Split,
    Success,
    Unless,
    Until,
)
from pef.models.regex.syntax import Anchor, Failure, Manner, One, Place, Reference
from pef.models.regex.units import LINE_FEED, Units
from pef.records import record, replace


class TooMuchWorkError(Exception):
    """The matcher has taken more steps than it may."""


class Subject(Protocol):
    """What a matcher may ask about a text."""

    def has(self, position: int) -> bool:
        """Whether there is a character at the position."""

    def holds(self, position: int, units: Units) -> bool:
        """Whether there is a character of the set at the position."""

    def same(self, one: int, other: int, lower: str | None) -> bool:
        """Whether there are equal characters at two positions."""


@record(frozen=True)
class Loop:
    """A loop that is being run."""

    count: int
    last: int | None
    """Where the last optional round began: an empty round is not repeated."""
    outer: Loop | None


Marks = tuple[int | None, ...]


@record(frozen=True)
class State:
    """What going back restores."""

    at: int
    """The next instruction."""
    position: int
    marks: Marks
    last_group: int | None
    loop: Loop | None


@record(frozen=True)
class Found:
    """A match."""

    start: int
    end: int
    marks: Marks
    last_group: int | None

    def spans(self) -> list[tuple[int, int]]:
        """The span of the match and of each group, (-1, -1) where there is none."""
        pairs = zip(self.marks[::2], self.marks[1::2], strict=True)
        return [
            (self.start, self.end),
            *((-1, -1) if b is None or a is None else (a, b) for a, b in pairs),
        ]


class Matcher:
    """Matches one program against one subject."""

    def __init__(self, program: Program, groups: int, subject: Subject, steps: int) -> None:
        self._program = program
        self._groups = groups
        self._subject = subject
        self._steps = steps

    def match(self, start: int, *, whole: bool = False, advance: bool = False) -> Found | None:
        """The match at a position: up to the end if `whole`, not an empty one if `advance`."""
        first = State(0, start, (None,) * (2 * self._groups), None, None)

        def accepts(end: int) -> bool:
            if advance and end == start:
                return False
            return not (whole and self._subject.has(end))

        state = self._run(self._program, first, accepts)
        if state is None:
            return None
        return Found(start, state.position, state.marks, state.last_group)

    def _run(self, program: Program, state: State | None, accepts: Accepts) -> State | None:
        later: Later = []
        while True:
            if state is None:
                if not later:
                    return None
                state = self._back(later)
                continue
            self._count_step()
            instruction = program[state.at]
            if isinstance(instruction, Success):
                if accepts(state.position):
                    return state
                state = None
            else:
                state = self._step(instruction, state, later)

    def _back(self, later: Later) -> State | None:
        """The last choice that was put off; None if it leads nowhere."""
        older = later.pop()
        return self._other_length(older, later) if isinstance(older, _Shorter) else older

    def _count_step(self) -> None:
        self._steps -= 1
        if self._steps < 0:
            raise TooMuchWorkError

    def _step(self, instruction: Instruction, state: State, later: Later) -> State | None:
        """The state to go on with; None to go back."""
        match instruction:
            case Mark() | Jump() | Enter() | Unless() | Split() | Until():
                return _moved(instruction, state, later)
            case Run():
                return self._repeat_one(instruction, state, later)
            case Inner():
                return self._inner(instruction, state)
            case Possessive():
                return self._possessive(instruction, state)
            case Reference():
                return self._refer(instruction, state)
            case Anchor():
                return _next(state) if self._is_at(instruction, state.position) else None
            case One(units):
                if self._subject.holds(state.position, units):
                    return replace(state, at=state.at + 1, position=state.position + 1)
                return None
            case Failure() | Success():
                return None

    def _repeat_one(self, run: Run, state: State, later: Later) -> State | None:
        least = state.position + run.least
        end = state.position
        while end < least:
            self._count_step()
            if not self._subject.holds(end, run.one.units):
                return None
            end += 1
        if run.manner is Manner.LAZY:
            later.append(_Shorter(_next(state), run, least, end))
            return replace(state, at=state.at + 1, position=end)
        while run.most is None or end < state.position + run.most:
            self._count_step()
            if not self._subject.holds(end, run.one.units):
                break
            end += 1
        if run.manner is Manner.GREEDY and end > least:
            later.append(_Shorter(_next(state), run, least, end))
        return replace(state, at=state.at + 1, position=end)

    def _other_length(self, choice: _Shorter, later: Later) -> State | None:
        """One character less of a greedy run, one more of a lazy one."""
        run, end = choice.run, choice.end
        if run.manner is Manner.LAZY:
            start = choice.least - run.least
            if run.most is not None and end >= start + run.most:
                return None
            if not self._subject.holds(end, run.one.units):
                return None
            later.append(replace(choice, end=end + 1))
            return replace(choice.state, position=end + 1)
        if end - 1 > choice.least:
            later.append(replace(choice, end=end - 1))
        return replace(choice.state, position=end - 1)

    def _inner(self, inner: Inner, state: State) -> State | None:
        start = state.position - (inner.back or 0)
        found = None
        if start >= 0:
            first = replace(state, at=0, position=start, loop=None)
            found = self._run(inner.program, first, _anywhere)
        if inner.wanted is None:
            return found and replace(found, at=state.at + 1, loop=state.loop)
        if (found is not None) is not inner.wanted:
            return None
        if found is None:
            return _next(state)
        return replace(found, at=state.at + 1, position=state.position, loop=state.loop)

    def _possessive(self, repeat: Possessive, state: State) -> State | None:
        here = replace(state, loop=None)
        count = 0
        while repeat.most is None or count < repeat.most:
            self._count_step()
            found = self._run(repeat.program, replace(here, at=0), _anywhere)
            if found is None:
                if count < repeat.least:
                    return None
                break
            empty = found.position == here.position
            here = found
            count += 1
            if empty and count >= repeat.least:
                break
        return replace(here, at=state.at + 1, loop=state.loop)

    def _refer(self, reference: Reference, state: State) -> State | None:
        span = _text(state, reference.group)
        if span is None:
            return None
        position = state.position
        for other in range(*span):
            self._count_step()
            if not self._subject.same(position, other, reference.lower):
                return None
            position += 1
        return replace(state, at=state.at + 1, position=position)

    def _is_at(self, anchor: Anchor, position: int) -> bool:
        subject = self._subject
        match anchor.place:
            case Place.START:
                return position == 0
            case Place.START_OF_LINE:
                return position == 0 or subject.holds(position - 1, LINE_FEED)
            case Place.END:
                return not subject.has(position)
            case Place.END_OR_LAST_LINE_FEED:
                if not subject.has(position):
                    return True
                return subject.holds(position, LINE_FEED) and not subject.has(position + 1)
            case Place.END_OF_LINE:
                return not subject.has(position) or subject.holds(position, LINE_FEED)
            case Place.BOUNDARY | Place.NO_BOUNDARY:
                return self._is_at_boundary(anchor, position)

    def _is_at_boundary(self, anchor: Anchor, position: int) -> bool:
        """Neither kind of boundary is in an empty text."""
        subject, word = self._subject, anchor.word
        if word is None or (position == 0 and not subject.has(0)):
            return False
        before = position > 0 and subject.holds(position - 1, word)
        here = subject.holds(position, word)
        return (before != here) is (anchor.place is Place.BOUNDARY)


@record(frozen=True)
class _Shorter:
    """A run of one character that may have another length: `state` follows it."""

    state: State
    run: Run
    least: int
    end: int


Later = list["State | _Shorter"]


class Accepts(Protocol):
    """Whether a program may end at a position."""

    def __call__(self, end: int, /) -> bool:
        """Whether it may end there."""


def _anywhere(end: int, /) -> bool:
    return True


def _next(state: State) -> State:
    return replace(state, at=state.at + 1)


def _moved(
    instruction: Mark | Jump | Enter | Unless | Split | Until, state: State, later: Later
) -> State | None:
    """A step that asks nothing."""
    match instruction:
        case Mark(slot):
            return _marked(state, slot)
        case Jump(target):
            return replace(state, at=target)
        case Enter(until):
            return replace(state, at=until, loop=Loop(-1, None, state.loop))
        case Unless(group, target):
            return replace(state, at=target) if _text(state, group) is None else _next(state)
        case Split(first, second):
            later.append(replace(state, at=second))
            return replace(state, at=first)
        case Until():
            return _until(instruction, state, later)


def _marked(state: State, slot: int) -> State:
    marks = (*state.marks[:slot], state.position, *state.marks[slot + 1 :])
    last_group = slot // 2 + 1 if slot % 2 else state.last_group
    return replace(state, at=state.at + 1, marks=marks, last_group=last_group)


def _text(state: State, group: int) -> tuple[int, int] | None:
    start, end = state.marks[2 * group - 2 : 2 * group]
    return None if start is None or end is None else (start, end)


def _until(until: Until, state: State, later: Later) -> State | None:
    loop = state.loop
    if loop is None:
        return None
    count = loop.count + 1
    if count < until.least:
        return replace(state, at=until.body, loop=replace(loop, count=count))
    onwards = replace(state, at=state.at + 1, loop=loop.outer)
    full = until.most is not None and count >= until.most
    if full or state.position == loop.last:
        return onwards
    again = replace(state, at=until.body, loop=Loop(count, state.position, loop.outer))
    later.append(again if until.lazy else onwards)
    return onwards if until.lazy else again
