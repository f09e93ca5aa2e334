"""Randomness that is the same in every run and every replay."""

from __future__ import annotations

import _random
import os
from collections.abc import Callable

from pef.isolation.arrival import on_arrival
from pef.isolation.asking import who_asks
from pef.isolation.replacing import Replacement, surrendered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SEED_BYTES = 32
_true_urandom = os.urandom


class Chance:
    """One source for all who ask the system for random bytes."""

    reason = "random numbers are always the same"

    def __init__(self) -> None:
        self._source = _random.Random(0)
        self._is_drawn = False
        self._is_true = False
        self._random: Any = None
        """The module, once the program has it."""
        self._begun: Any = None
        self._first = 0
        self.is_used = False

    def replacements(self) -> list[Replacement]:
        """Everything in `os` that draws from here."""
        names = [name for name in ("urandom", "getrandom") if hasattr(os, name)]
        return [Replacement(os, name, getattr(self, name)) for name in names]

    def fix(self) -> None:
        """Make this process draw from here."""
        on_arrival("random", self._fix_module)
        self.restore()

    def _fix_module(self, module: Any) -> None:
        generator = module.Random(0)
        self._begun, self._first = generator.getstate(), generator.getrandbits(64)
        module._urandom = self.urandom
        module.Random.seed = self._seeding(module.Random.seed)
        module.seed = module._inst.seed
        self._random = module
        if self._is_true:
            module.seed(_true_number())
        else:
            module.setstate(self._begun)

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
        return self._source.getrandbits(8 * size).to_bytes(size, "little")

    def _seeding(self, plain: Callable[..., None]) -> Callable[..., None]:
        """`Random.seed`: without a seed, C code would ask the system for one."""

        def seed(generator: Any, a: Any = None, version: int = 2) -> None:
            if a is None:
                self.is_used |= who_asks(passing="random") != "ground"
                a = int.from_bytes(self.bytes(_SEED_BYTES), "little")
            plain(generator, surrendered(a, "random.seed"), version)

        return seed

    def capture(self) -> None:
        """Begin now."""
        self.restore()
        self.is_used = False

    def restore(self) -> None:
        """Begin anew."""
        self._is_true = False
        if self._is_drawn:
            self._source.seed(0)
            self._is_drawn = False
        if self._random is not None:
            # Who has drawn nothing draws what comes first; to look at the state takes much longer.
            self.is_used |= self._random.getrandbits(64) != self._first
            self._random.setstate(self._begun)

    def be_true(self) -> None:
        """Leave it to chance what is drawn."""
        self._is_true = self._is_drawn = True
        self._source.seed(_true_number())
        if self._random is not None:
            self._random.seed(_true_number())


def _true_number() -> int:
    return int.from_bytes(_true_urandom(_SEED_BYTES), "little")
