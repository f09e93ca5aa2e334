"""How the value of a setting is read: from a word, or from what TOML made of it."""

from __future__ import annotations

import os
from collections.abc import Callable


class WrongValueError(Exception):
    """A value that makes no sense; the text says what would."""


def natural(value: object) -> int:
    """Read a whole number from 0."""
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise WrongValueError("a whole number from 0")


def seconds(value: object) -> float:
    """Read a number of seconds above 0."""
    try:
        number = float(value) if isinstance(value, (str, int, float)) else -1.0
    except ValueError:
        number = -1.0
    if isinstance(value, bool) or not 0 < number < float("inf"):
        raise WrongValueError("a number of seconds above 0")
    return number


def jobs(value: object) -> int | None:
    """Read a number from 1; None stands for `auto`."""
    if value == "auto":
        return None
    try:
        number = natural(value)
    except WrongValueError:
        number = 0
    if number < 1:
        raise WrongValueError("a whole number from 1, or auto")
    return number


def one_of(choices: tuple[str, ...]) -> Callable[[object], str]:
    """Return a reader of one of a few words."""

    def parse(value: object) -> str:
        if value not in choices:
            raise WrongValueError(f"one of {', '.join(choices)}")
        return str(value)

    return parse


def switch(value: object) -> bool:
    """Read yes or no."""
    words = {
        "1": True,
        "true": True,
        "yes": True,
        "0": False,
        "false": False,
        "no": False,
        "": False,
    }
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in words:
        return words[value.lower()]
    raise WrongValueError("true or false")


def text(value: object) -> str:
    """Read any text but the empty one."""
    if isinstance(value, str) and value:
        return value
    raise WrongValueError("some text")


def folders(value: object) -> tuple[str, ...]:
    """Read a list of folders, in one text as the system writes its search paths."""
    return _list(value, os.pathsep, "a list of folders")


def patterns(value: object) -> tuple[str, ...]:
    """Read a list of patterns for paths."""
    return _list(value, ",", "a list of patterns")


def codes(value: object) -> tuple[str, ...]:
    """Read a list of codes of findings, names of them, or beginnings of either."""
    read = _list(value, ",", "a list of codes or names of findings")
    if read:
        from pef.checking.codes import CODES

        known = [word for code in CODES for word in (code.code, code.name)]
        for word in read:
            if not any(each.startswith((word, word.upper())) for each in known):
                raise WrongValueError("a list of codes or names that `pef explain` lists")
    return read


def permissions(value: object) -> tuple[str, ...]:
    """Read a list of side effects that are allowed."""
    from pef.isolation.policy import WORDS, Policy

    read = _list(value, ",", f"a list of {WORDS}")
    try:
        Policy.of(read)
    except ValueError:
        raise WrongValueError(WORDS) from None
    return read


def _list(value: object, separator: str, expected: str) -> tuple[str, ...]:
    """Read a text with separators, or a list of texts that may have some."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise WrongValueError(expected)
    return tuple(part.strip() for each in texts for part in each.split(separator) if part.strip())
