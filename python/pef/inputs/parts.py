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
    places: list[tuple[str, Bound]] = field(default_factory=list)
    """What each of them was called when it was made."""

    def begin(self) -> None:
        """Forget the run before."""
        self.made.clear()
        self.places.clear()

    def owner(self, name: str) -> Bound | None:
        """The object that is to have one of this name as a part; None if there is no such.

        An object is known when its constructor is through. What it has got then has its own name
        before theirs: `tree`, `tree.below[0]`, `list(tree.names)[1]`.
        """
        place = _bare(name)
        around = [
            (len(known), at, bound)
            for at, (known, bound) in enumerate(self.places)
            if place.startswith(known) and place[len(known) :][:1] in tuple(".[()")
        ]
        return max(around, key=lambda each: each[:2])[2] if around else None


def _bare(name: str) -> str:
    """A name without what stands before it where it is an item of a dict or set."""
    return name.replace("list(", "").replace("sorted(", "")


@record(frozen=True)
class Part(Around):
    """An object of a class, which may be one of the earlier ones if it is part of another."""

    inner: Maker
    kind: type
    pool: Pool
    doubts: list[str]

    def make(self, name: str, level: int = 0) -> Made:
        earlier = self.pool.made.setdefault(self.kind, [])
        possible = self._possible(name, earlier) if level else []
        if possible:
            taken = _native.choose_shape(f"is {name}", len(possible) + 1, 1)
            if taken:
                value, bound = possible[taken - 1]
                assert isinstance(bound, Bound)
                bound.shared = True
                return value, Again(bound)
        value, recipe = self.inner.make(name, level)
        bound = Bound(f"{self.kind.__name__.lower()}{len(earlier) + 1}", recipe)
        earlier.append((value, bound))
        self.pool.places.append((_bare(name), bound))
        return value, bound

    def _possible(self, name: str, earlier: list[Made]) -> list[Made]:
        """The earlier objects of which the new place is not a part: that has no source."""
        owner = self.pool.owner(name)
        found = [each for each in earlier if owner is None or not each[1].has(owner)]
        doubt = f"objects of {self.kind.__name__} that are part of themselves"
        if len(found) < len(earlier) and doubt not in self.doubts:
            self.doubts.append(doubt)
        return found
