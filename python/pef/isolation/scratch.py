"""Folders for temporary files of target code, made before it runs and removed after.

`tempfile` and `shutil` could do this, and load every compression there is and a generator of random
numbers. Every check needs a folder; hardly any leaves something in it.
"""

from __future__ import annotations

import os

_USUAL = ("/tmp", "/var/tmp", "/usr/tmp")  # as `tempfile` has them
_TRIES = 100


def make_folder(inside: str | None = None) -> str:
    """A new folder that only this user can look into."""
    named = [os.environ[each] for each in ("TMPDIR", "TEMP", "TMP") if os.environ.get(each)]
    places = [*named, *_USUAL, os.getcwd()] if inside is None else [inside]
    problem: OSError | None = None
    for place in places:
        try:
            return _made_in(os.path.abspath(place))
        except OSError as caught:
            problem = problem or caught
    raise problem or FileNotFoundError(places)


def _made_in(place: str) -> str:
    for _ in range(_TRIES):
        folder = os.path.join(place, f"pef-{os.urandom(6).hex()}")
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            continue
        return folder
    raise FileExistsError(place)


def remove_folder(folder: str) -> None:
    """Take a folder away with everything in it, as far as that is possible."""
    try:
        for each, _, _ in os.walk(folder, topdown=False):
            os.rmdir(each)
    except OSError:  # more than folders is left
        import shutil

        shutil.rmtree(folder, ignore_errors=True)
