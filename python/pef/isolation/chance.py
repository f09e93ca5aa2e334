"""Randomness that is the same in every run and every replay."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

from pef.isolation.asking import who_asks

_SEED_BYTES = 32
_true_urandom = os.urandom


class Chance:
    """One source for all who ask the system for random bytes."""

    reason = "random numbers are always the same"

    def __init__(self) -> None:
        self._source = random.Random(0)
        self._begun = random.Random(0).getstate()
        self._first = random.Random(0).getrandbits(64)
        self._is_drawn = False
        self.is_used = False

    def fix(self) -> None:
        """Make this process draw from here."""
        self.restore()
        os.urandom = self.urandom
        random._urandom = self.urandom  # type: ignore[attr-defined]
        if hasattr(os, "getrandom"):
            os.getrandom = self.getrandom
        random.Random.seed = self._seeding(random.Random.seed)  # type: ignore[method-assign]
        random.seed = random._inst.seed

    def urandom(self, size: int, /) -> bytes:
        """As `os.urandom`, and foreseeable."""
        if size < 0:
            raise ValueError("negative argument not allowed")
        self.is_used = True
        return self.bytes(size)

    def getrandom(self, size: int, flags: int = 0) -> bytes:
        """As `os.getrandom`."""
        return self.urandom(size)

    def bytes(self, size: int) -> bytes:
        """The next random bytes, whoever wants them."""
        self._is_drawn = True
        return self._source.randbytes(size)

    def _seeding(self, plain: Callable[..., None]) -> Callable[..., None]:
        """`Random.seed`: without a seed, C code would ask the system for one."""

        def seed(generator: random.Random, a: Any = None, version: int = 2) -> None:
            if a is None:
                self.is_used |= who_asks(passing="random") != "ground"
                a = int.from_bytes(self.bytes(_SEED_BYTES), "little")
            plain(generator, a, version)

        return seed

    def capture(self) -> None:
        """Begin now."""
        self.restore()
        self.is_used = False

    def restore(self) -> None:
        """Begin anew."""
        if self._is_drawn:
            self._source.seed(0)
            self._is_drawn = False
        # Who has drawn nothing draws what comes first; to look at the state takes much longer.
        self.is_used |= random.getrandbits(64) != self._first
        random.setstate(self._begun)

    def be_true(self) -> None:
        """Leave it to chance what is drawn."""
        self._source.seed(_true_urandom(_SEED_BYTES))
        random.setstate(self._source.getstate())
        self._source.seed(_true_urandom(_SEED_BYTES))
        self._is_drawn = True
