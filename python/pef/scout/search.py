"""The search: which input next, what to keep, when to stop.

Simple and nasty values come first. An input that reaches something new is kept in the corpus; from
then on new inputs are drawn from the words of the code reached, or are inputs of the corpus,
changed a little. Everything is decided by one seeded generator and by counts of calls; the clock
only ends it.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from random import Random
from types import CodeType, FrameType
from typing import Any

from pef.contracts.contract import Contract
from pef.contracts.form import Clause, UndeclaredException
from pef.inputs import innermost
from pef.inputs.recipes import Names
from pef.records import NamedTuple, field, record
from pef.scout.compound import Excluded
from pef.scout.coverage import Interest, coverage
from pef.scout.forms import Parameters
from pef.scout.mining import group_of
from pef.scout.run import Calls, Outcome, Status, written
from pef.scout.samples import Sample, Source
from pef.scout.shrinking import Place, cause_of, shrunk
from pef.scout.surroundings import Surroundings
from pef.scout.words import Group, Words

_PATIENCE = 20_000
"""Calls without anything new before the search gives up, at least."""
_SIMPLE_FIRST = 60
"""Simple values before they take turns with drawn ones."""
_REPEATS = 3_000
"""Draws in a row that were all tried before: there is nothing else."""
_SLOWEST = 1.0
_DRIFT = 0.1
"""How often an input is changed that reached nothing new: two changes may be needed at once."""
_MOST_RECENT = 40
_WEIGHT_OF_A_PICK = 10
"""How much bigger an input may be for being used once less."""
_ONE_BY_ONE = 0.4
"""How often words are added to an input one after the other instead of by chance."""
_MOST_REMEMBERED = 300_000
_MOST_LEFT_BEHIND = 100
_LEFT_BEHIND = 0.05
"""So often, or in that part of all calls, a failure may be the doing of earlier ones."""


class Sighting(NamedTuple):
    """A call that raised, or broke its contract. To be replayed: nothing here is a finding yet."""

    args_source: list[str]
    kwargs_source: dict[str, str]
    exception: BaseException | None
    """None if it returned and broke a promise; the traceback starts in the function."""
    violated: Clause | UndeclaredException | None
    """What it breaks of the contract, if that speaks about it."""
    place: Place | None
    """Where the exception was raised."""
    project_place: Place | None
    """The innermost line of the project it passed."""
    calls: int
    """How many calls it took to find it."""


class Seed(NamedTuple):
    """An input that reached something new when it was tried."""

    args_source: list[str]
    kwargs_source: dict[str, str]
    values: tuple[Any, ...]
    """One value per parameter."""


@record
class _Kept:
    """An input of the corpus."""

    sample: Sample
    groups: list[Group]
    """The words of the functions it did something new in."""
    untried: Iterator[Sample]
    """The input with words added, one after the other."""
    weight: int
    picked: int = 0


@record
class Scouting:
    """One search: iterate over it for sightings. It says what was done, and why it ended."""

    function: Callable[..., Any]
    contract: Contract
    seconds: float
    seed: int
    project_files: Callable[[str], bool]
    wanted: Callable[[Outcome], bool]
    clock: Callable[[], float] = time.perf_counter
    restore: Callable[[], None] | None = None
    """Undoes what the calls so far have left behind in the program."""
    calls: int = 0
    excluded: int = 0
    ended: str = "not started"
    before_call: Callable[[int, Sample], None] = lambda number, sample: None
    """Told of each call before it is made; it may not return."""
    slow: list[Seed] = field(default_factory=list)
    """Inputs whose call was stopped because it took too long."""

    def __post_init__(self) -> None:
        """Raises `UnsupportedInputError` for a parameter that cannot be sampled."""
        self._parameters = Parameters(self.function, self.contract)
        self._names = Names(getattr(innermost(self.function), "__globals__", {}))
        self._words = Words()
        self._groups: dict[int, Group] = {}
        self._corpus: list[_Kept] = []
        self._source = Source(Random(self.seed), self._words)
        self._tried: set[int] = set()
        self._known: set[object] = set()
        self._left_behind: Counter[object] = Counter()
        self._last_news = 0
        self._recent: deque[Sample] = deque(maxlen=_MOST_RECENT)
        interest = Interest(self.project_files)
        self._reached: list[dict[str, Any]] = []
        self._surroundings = Surroundings(interest)
        watching = coverage(interest, self._entered)
        limit = max(0.05, min(_SLOWEST, self.seconds / 5))
        self._calls = Calls(self.function, self.contract, self._parameters.all, watching, limit)

    @property
    def seeds(self) -> list[Seed]:
        """The inputs of the corpus, in the order they were found."""
        return [self._seed(kept.sample) for kept in self._corpus]

    def __iter__(self) -> Iterator[Sighting]:
        """Runs until time is up, or nothing new was reached for a while."""
        end = self.clock() + self.seconds
        self.ended = f"its {self.seconds:g} s were over"
        try:
            for sample in self._inputs():
                sighting = self._try(sample, end)
                if sighting is not None:
                    self._calls.rest()
                    yield sighting
                if self.clock() >= end:
                    return
                if self.calls - self._last_news > max(_PATIENCE, 2 * self._last_news):
                    idle = self.calls - self._last_news
                    self.ended = f"nothing new was reached in the last {idle} calls"
                    return
            self.ended = "every input was tried"
        finally:
            self._calls.rest()

    def _try(self, sample: Sample, end: float) -> Sighting | None:
        outcome = self._perform(sample)
        if outcome.status is Status.SLOW:
            self.slow.append(self._seed(sample))
            return None
        if outcome.news:
            self._keep(sample, outcome)
        if outcome.exception is None and outcome.violated is None:
            return None
        cause = cause_of(outcome, self.project_files)
        if cause in self._known or outcome.status is Status.EXCLUDED:
            return None
        is_wanted = self.wanted(outcome)
        if is_wanted and self._is_left_behind(sample, cause):
            return None
        self._known.add(cause)
        if not is_wanted:
            return None
        found = self.calls

        def again(candidate: Sample) -> Outcome | None:
            if self.clock() >= end:
                return None
            other = self._perform(candidate)
            is_same = cause_of(other, self.project_files) == cause
            return other if is_same and not self._is_left_behind(candidate, cause) else None

        small, outcome = shrunk(sample, outcome, again)
        return self._sighting(small, outcome, found)

    def _is_left_behind(self, sample: Sample, cause: object) -> bool:
        """Whether a call only failed for what earlier ones had done: a cache is full, a lexer lost.

        Nothing is known about the cause then, which may have better reasons at another time.
        """
        most = max(_MOST_LEFT_BEHIND, _LEFT_BEHIND * self.calls)
        if self.restore is None or self._left_behind[cause] >= most:
            return False
        self._calls.rest()  # handlers of signals are part of the state
        self.restore()
        again = self._perform(sample)
        if cause_of(again, self.project_files) == cause:
            return False
        self._left_behind[cause] += 1
        return True

    def _perform(self, sample: Sample) -> Outcome:
        self.before_call(self.calls, sample)
        outcome = self._calls.perform(sample)
        if outcome.status is Status.EXCLUDED:
            self.excluded += 1
        self.calls += 1
        if self._reached:
            self._look_around()
        return outcome

    def source_of(self, sample: Sample) -> tuple[list[str], dict[str, str]]:
        """The arguments of a call, positional and named, as Python source."""
        return written(sample, self._parameters.all, self._names)

    def _sighting(self, sample: Sample, outcome: Outcome, found: int) -> Sighting:
        args, kwargs = written(sample, self._parameters.all, self._names)
        cause = cause_of(outcome, self.project_files)
        return Sighting(
            args,
            kwargs,
            outcome.exception,
            outcome.violated,
            cause.place,
            cause.project_place,
            found,
        )

    def _seed(self, sample: Sample) -> Seed:
        args, kwargs = written(sample, self._parameters.all, self._names)
        return Seed(args, kwargs, tuple(part.recipe().value() for part in sample.content))

    def _entered(self, code: CodeType, frame: FrameType) -> None:
        try:
            group = group_of(frame)
        except Exception:  # this runs inside the call: the program must not notice
            group = Group()
        self._groups[id(code)] = group
        self._words.learn(group)
        self._reached.append(frame.f_globals)

    def _look_around(self) -> None:
        """Reading modules takes a while, so it is done between calls."""
        for namespace in self._reached:
            self._words.learn_around(self._surroundings.of(namespace))
        self._reached.clear()

    def _keep(self, sample: Sample, outcome: Outcome) -> None:
        self._last_news = self.calls
        codes = {id(code): code for code in outcome.news}
        groups = [self._groups[each] for each in codes if each in self._groups]
        untried = sample.extended(self._words.near(groups))
        self._corpus.append(_Kept(sample, groups, untried, sample.weight()))
        self._words.remember(sample.texts())

    def _inputs(self) -> Iterator[Sample]:
        """Inputs not tried before; ends when there are no others."""
        simple = iter(self._parameters.shape.simple())
        for _, sample in zip(range(_SIMPLE_FIRST), simple, strict=False):
            if self._is_new(sample):
                yield sample
        repeats = 0
        while repeats < _REPEATS:
            for candidate in (next(simple, None), self._next()):
                if candidate is None or not self._is_new(candidate):
                    repeats += 1
                    continue
                repeats = 0
                self._recent.append(candidate)
                yield candidate

    def _next(self) -> Sample | None:
        random = self._source.random
        try:
            if not self._recent or not self._corpus or random.random() < 0.25:
                self._words.concentrate(())
                return self._parameters.shape.draw(self._source)
            if random.random() < _DRIFT:
                return random.choice(self._recent).mutated(self._source)
            kept = self._pick(random)
            kept.picked += 1
            if random.random() < _ONE_BY_ONE:
                extended = next(kept.untried, None)
                if extended is not None:
                    return extended
            self._words.concentrate(kept.groups)
            return kept.sample.mutated(self._source)
        except Excluded:
            return None

    def _pick(self, random: Random) -> _Kept:
        """Mostly the newest, or of a few the one that is small and not used often."""
        if random.random() < 0.3:
            return random.choice(self._corpus[-8:])
        few = [random.choice(self._corpus) for _ in range(3)]
        return min(few, key=lambda kept: kept.picked + kept.weight // _WEIGHT_OF_A_PICK)

    def _is_new(self, sample: Sample) -> bool:
        key = hash(sample)
        if key in self._tried:
            return False
        if len(self._tried) < _MOST_REMEMBERED:
            self._tried.add(key)
        return True
