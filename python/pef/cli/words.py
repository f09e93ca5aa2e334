"""Reading words that are all in order, which needs no argparse.

That takes as long to load and to tell about every option as many a check to search. Where there is
anything to say about the words, and where their order matters, they are left to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pef.cli.table import Setting

_CONFIG = Setting("config", str, "", "FILE")


def read_plainly(
    words: Sequence[str], settings: Iterable[Setting]
) -> tuple[list[str], dict[str, object]] | None:
    """Return the targets and what was given for each setting; None if that takes a closer look."""
    known = [*settings, _CONFIG]
    by_word = {word: each for each in known for word in each.words}
    given: dict[str, object] = {each.attribute: None for each in known}
    targets: list[str] = []
    are_targets_over = False
    left = iter(words)
    for word in left:
        if not word.startswith("-"):
            if are_targets_over:
                return None
            targets.append(word)
            continue
        are_targets_over = bool(targets)
        name, equals, value = word.partition("=")
        setting = by_word.get(name)
        if setting is None or (equals and not (setting.metavar and name.startswith("--"))):
            return None
        if not setting.metavar:
            given[setting.attribute] = True
            continue
        value = value if equals else next(left, "-")
        if not equals and value.startswith("-"):
            return None
        before = given[setting.attribute]
        if setting.may_be_repeated:
            given[setting.attribute] = [*(before if isinstance(before, list) else []), value]
        else:
            given[setting.attribute] = value
    return targets, given
