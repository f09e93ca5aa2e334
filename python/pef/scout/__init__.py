"""Cheap concrete runs beside the symbolic ones.

Symbolic execution of a big parser takes seconds per path; thousands of plain calls take one. The
scout makes them: typed inputs, small and nasty first, then grown from the words the code mentions
and guided by what they reach. It finds the shallow errors at once, and gives seeds that reach deep
code. It proves nothing and reports nothing: each sighting is replayed in a clean process by whoever
asked. What a call does to the outside world is for the caller to forbid.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pef.contracts.contract import Contract
    from pef.scout.run import Outcome
    from pef.scout.search import Scouting, Seed, Sighting

__all__ = ["Scouting", "Seed", "Sighting", "scout"]


def scout(
    function: Callable[..., Any],
    contract: Contract,
    *,
    seconds: float,
    seed: int = 0,
    project_files: Callable[[str], bool],
    wanted: Callable[[Outcome], bool] = lambda outcome: True,
    clock: Callable[[], float] = time.perf_counter,
    restore: Callable[[], None] | None = None,
) -> Scouting:
    """Calls that raise or break the contract: iterate over the answer.

    Each cause (type of exception and place, or clause) comes once, with a small input. Causes that
    are not `wanted` are passed over, and those that are gone when `restore` has put back the
    state of the program. Raises `UnsupportedInputError` if a parameter has no samples.
    """
    from pef.scout.search import Scouting

    return Scouting(function, contract, seconds, seed, project_files, wanted, clock, restore)


def __getattr__(name: str) -> Any:
    if name in __all__:
        from pef.scout import search

        return getattr(search, name)
    raise AttributeError(name)
