"""From pieces to what they can reach, and from that to digests.

A piece reaches every definition whose last name it mentions, in the files that are imported when it
runs; a class also reaches what Python calls unasked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pef.checking.hashing import digest, hex_digest
from pef.checking.outline import PLAIN_BASES, Outline, Piece


class Graph:
    """The pieces of all files, and which mentions which.

    A set of pieces is an int with a bit for each: sets are as large as the project, and joined for
    every function.
    """

    def __init__(self, outlines: Iterable[Outline]) -> None:
        # The order of the pieces that are reached must not depend on those that are not.
        ordered = sorted(outlines, key=lambda each: (each.module_name, each.path))
        pieces = [(each, each.pieces[name]) for each in ordered for name in sorted(each.pieces)]
        self._index = {(each.path, piece.name): n for n, (each, piece) in enumerate(pieces)}
        self._pieces = [piece for _, piece in pieces]
        self._hashes = [_piece_hash(each, piece) for each, piece in pieces]
        self._everything = (1 << len(pieces)) - 1
        self._statements = self._functions = self._classes = 0
        self._named: dict[str, int] = {}
        self._files: dict[str, int] = {}
        for n, (each, piece) in enumerate(pieces):
            bit = 1 << n
            self._files[each.path] = self._files.get(each.path, 0) | bit
            last = piece.name.rpartition(".")[2]
            self._named[last] = self._named.get(last, 0) | bit
            self._classes |= bit if piece.is_class else 0
            self._functions |= 0 if piece.is_class or piece.is_variable else bit
        self._statements = self._named.pop("", 0)
        self._implied = [self._unasked(each, piece) for each, piece in pieces]
        self._add_subclasses()
        self._follows: list[int | None] = [None] * len(pieces)
        self._remember()
        self._worlds: dict[frozenset[str], int] = {}
        self._digests: dict[int, str] = {}

    def _unasked(self, home: Outline, piece: Piece) -> int:
        """Return what is called without being mentioned by those who know the piece."""
        names = piece.methods if self._is_called_back(piece, set()) else []
        return sum(1 << self._index[home.path, name] for name in {*names, *piece.implied})

    def _is_called_back(self, piece: Piece, seen: set[str]) -> bool:
        """Whether a class comes from one we cannot see, which may call any of its methods."""
        for base in piece.bases - seen:
            seen.add(base)
            known = list(members(self._named.get(base, 0) & self._classes))
            if not known and base not in PLAIN_BASES:
                return True
            if any(self._is_called_back(self._pieces[n], seen) for n in known):
                return True
        return False

    def _add_subclasses(self) -> None:
        """Let a class lead to those below it: an object of one of them is an object of it.

        The name of a class that is not ours leads there itself.
        """
        below: dict[str, int] = {}
        for n, piece in enumerate(self._pieces):
            for base in members(self._of_name(piece.bases) & self._classes):
                self._implied[base] |= 1 << n
            for name in piece.bases - PLAIN_BASES - self._named.keys():
                below[name] = below.get(name, 0) | 1 << n
        self._named.update(below)

    def digest(self, path: str, qualname: str, files: frozenset[str]) -> str:
        """Return the digest of a function, in a world where some files are imported."""
        reached = self._pieces_from(path, qualname, files)
        known = self._digests.get(reached)
        if known is None:
            chosen = [self._hashes[n] for n in members(reached)]
            known = self._digests[reached] = digest(b"".join(chosen)).hex()
        return hex_digest(f"{qualname} {known}")

    def reached_from(self, path: str, qualname: str, files: frozenset[str]) -> set[tuple[str, str]]:
        """Return what the digest is made of."""
        places = list(self._index)
        return {places[n] for n in members(self._pieces_from(path, qualname, files))}

    def _pieces_from(self, path: str, qualname: str, files: frozenset[str]) -> int:
        world = self._worlds.get(files)
        if world is None:
            world = self._worlds[files] = sum(self._files[file] for file in files)
        return self._reached(self._start(path, qualname) & world, world)

    def _start(self, path: str, qualname: str) -> int:
        """Return the function, the classes around it and what importing runs."""
        start = self._statements
        parts = qualname.split(".")
        for end in range(1, len(parts) + 1):
            n = self._index.get((path, ".".join(parts[:end])))
            if n is not None:
                start |= 1 << n
        if (path, qualname) not in self._index:
            # Inherited, assigned or imported: any definition of its name may be meant.
            start |= self._named.get(parts[-1], self._everything)
        return start

    def _reached(self, start: int, world: int) -> int:
        return closed(start, lambda n: self._follow(n) & world, world)

    def _follow(self, n: int) -> int:
        known = self._follows[n]
        if known is None:
            piece = self._pieces[n]
            known = self._everything
            if not piece.is_open:
                called = self._of_name(piece.calls) & self._functions
                known = self._implied[n] | self._of_name(piece.mentions) | called
            self._follows[n] = known
        return known

    def _of_name(self, names: set[str]) -> int:
        found = 0
        for name in names & self._named.keys():
            found |= self._named[name]
        return found

    def _remember(self) -> None:
        """Let variables and classes lead to the functions that a decorator may have put there."""
        remembered: dict[int, int] = {}
        for n, piece in enumerate(self._pieces):
            if piece.decorators:
                start = self._of_name(piece.decorators)
                keepers = self._reached(start, self._everything) & ~self._functions
                for keeper in members(keepers | self._of_name(piece.keepers)):
                    remembered[keeper] = remembered.get(keeper, 0) | 1 << n
        for keeper, pieces in remembered.items():
            self._implied[keeper] |= pieces
        self._follows = [None] * len(self._pieces)


def closed(start: int, follow: Callable[[int], int], limit: int = 0) -> int:
    """Return all that can be reached from some members of a set; `limit` is all there is."""
    reached, waiting = 0, start
    while waiting:
        lowest = waiting & -waiting
        reached |= lowest
        waiting = (waiting | follow(lowest.bit_length() - 1)) & ~reached
        if waiting | reached == limit:
            return limit
    return reached


def members(bits: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, lowest first."""
    for position, digit in enumerate(reversed(f"{bits:b}")):
        if digit == "1":
            yield position


def _piece_hash(home: Outline, piece: Piece) -> bytes:
    text = f"{home.module_name}\0{piece.name}\0{piece.text}"
    return digest(text.encode("utf-8", "surrogatepass"))
