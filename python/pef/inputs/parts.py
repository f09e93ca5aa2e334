"""Objects inside inputs that are one object.

Two attributes, or two items of a list, may be the same object. Only a function that asks who things
are can tell (a change of one that shows in the other needs two names for it in the first place), so
only for such a function every further object of a class may be one that was made before.
"""

from __future__ import annotations

from pef import _native
from pef.inputs.makers import Around, Made, Maker
from pef.inputs.recipes import Again, Bound
from pef.records import field, record


@record
class Pool:
    """The objects made in this run, by class."""

    made: dict[type, list[Made]] = field(default_factory=dict)

    def begin(self) -> None:
        """Forget the run before."""
        self.made.clear()


@record(frozen=True)
class Part(Around):
    """An object of a class, which may be one of the earlier ones if it is part of another."""

    inner: Maker
    kind: type
    pool: Pool

    def make(self, name: str, level: int = 0) -> Made:
        earlier = self.pool.made.setdefault(self.kind, [])
        if level and earlier:
            taken = _native.choose_shape(f"is {name}", len(earlier) + 1, 1)
            if taken:
                value, bound = earlier[taken - 1]
                assert isinstance(bound, Bound)
                bound.shared = True
                return value, Again(bound)
        value, recipe = self.inner.make(name, level)
        bound = Bound(f"{self.kind.__name__.lower()}{len(earlier) + 1}", recipe)
        earlier.append((value, bound))
        return value, bound
