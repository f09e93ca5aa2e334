"""Smaller inputs with the same cause.

Two calls have the same cause if they raise the same type of exception at the same place, or break
the same clause. What a person sees should be the smallest such input.
"""

from __future__ import annotations

from collections.abc import Callable

from pef.records import NamedTuple
from pef.scout.run import Outcome
from pef.scout.samples import Sample

_MOST_CALLS = 400


class Place(NamedTuple):
    """A line of a file."""

    file: str
    line: int


class Cause(NamedTuple):
    """What makes two sightings the same."""

    kind: object
    """The type of the exception, or where the broken clause stands."""
    place: Place | None = None
    project_place: Place | None = None


def cause_of(outcome: Outcome, project_files: Callable[[str], bool]) -> Cause:
    """Why the call is worth a look."""
    problem = outcome.exception
    if problem is None:
        clause = outcome.violated
        return Cause(None if clause is None else (clause.kind, clause.line, clause.column))
    place = project_place = None
    trace = problem.__traceback__
    while trace is not None:
        place = Place(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        if project_files(place.file):
            project_place = place
        trace = trace.tb_next
    if isinstance(problem, RecursionError):  # where the stack ends is chance
        return Cause(type(problem))
    return Cause(type(problem), place, project_place)


def shrunk(
    sample: Sample, outcome: Outcome, again: Callable[[Sample], Outcome | None]
) -> tuple[Sample, Outcome]:
    """The sample made smaller as long as `again` says it still does the same."""
    calls = 0
    improved = True
    while improved and calls < _MOST_CALLS:
        improved = False
        for candidate in sample.smaller():
            calls += 1
            if calls > _MOST_CALLS:
                break
            other = again(candidate)
            if other is not None:
                sample, outcome, improved = candidate, other, True
                break
    return sample, outcome
