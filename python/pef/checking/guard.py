"""What the kernel has refused, by the process group that tried it; and the warden that tells.

The supervisor asks here what a worker or a replay was refused. Where the kernel cannot ask anybody
(not Linux, or before 5.5), nothing is known of it and `refused` says so.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from pef.isolation.attempts import Refusal
from pef.isolation.policy import Policy
from pef.isolation.quarters import Quarters
from pef.isolation.scratch import make_folder
from pef.isolation.warden import Warden
from pef.replay.process import keep_only

_MOST_GROUPS = 1000


class Guard:
    """The warden of a run, if one is needed."""

    def __init__(self, folder: str) -> None:
        """Code lives below `folder`, each module in a part of its own."""
        self._folder = folder
        self._warden: Warden | None = None
        self._mark = f"pef-{os.urandom(5).hex()}"
        self._refused: dict[int, list[Refusal]] = {}

    def quarters(self, allow: Sequence[str]) -> Quarters:
        """Where the code of a module lives, with this leave."""
        quarters = Quarters(list(allow), make_folder(self._folder))
        if sys.platform == "linux" and not Policy.of(allow).everything:
            if self._warden is None:
                self._warden = Warden()
            quarters = quarters._replace(door=self._warden.door, mark=self._mark)
        quarters.prepare()
        return quarters

    def begin(self) -> None:
        """Start the warden, if there is to be one: just before the first process it watches.

        What is done between two forks is done on copies of pages, so nothing should be.
        """
        if self._warden is not None:
            self._warden.begin(keep_only)

    def refused(self, group: int) -> list[Refusal] | None:
        """What a process group was refused until now; None where nobody can tell."""
        if self._warden is None:
            return None
        for told in self._warden.hear():
            self._refused.setdefault(told.group, []).append(told.refusal)
            if len(self._refused) > _MOST_GROUPS:
                del self._refused[next(iter(self._refused))]
        return self._refused.pop(group, [])

    def close(self) -> None:
        """End the warden."""
        if self._warden is not None:
            self._warden.close()
            self._warden = None
