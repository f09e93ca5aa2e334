"""Text and bytes: short nasty ones first, then words of the code put together.

Parsers are made of words and separators, so text is changed in pieces: a piece is a run of letters
or digits, a run of blanks, or one other character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from pef.scout.samples import Sample, Shape, Source

NASTY = (
    *("", " ", "a", "0", "\n", "\r", "1", "-", "-1", ".", ",", ":", ";", "=", "/", "\\", "'", '"'),
    *("[", "]", "{", "}", "(", ")", "<", ">", "#", "%", "&", "*", "+", "?", "!", "@", "$", "^"),
    *("|", "~", "_", "`", "\t", "\0", "A", "aa", "é", "ß", "²", "٣", "\N{SNOWMAN}", "\x85"),
)
"""One of each kind of character, and nothing at all."""

NOTATIONS = (
    *("a b", "a=b", "a = 1", "a: b", "a,b", "a;b", "a.b", "a/b", "a-b", "a\nb", "a\r\nb", "\n\n"),
    *("1.0", "1,5", "1e5", "1e999", "0x1f", "+1", "-0", "00", "1_000", "1/2", "10%", "nan", "inf"),
    *("True", "None", "null", "true", "yes", "[]", "{}", "()", "''", '""', "[[", "]]", "{{", "}}"),
    *("'''", '"""', "[a]", '"a"', "'a'", "(a)", "{a}", "<a>", "</a>", "<a/>", "<!--", "<!", "<?"),
    *("&amp;", "&#", "%s", "%(a)s", "{0}", "${a}", "\\n", "\\u0041", "\\x", "//", "/*", "*/", "--"),
    *("==", "!=", "<=", ">=", "->", "=>", "&&", "||", "::", ":=", "..", "...", "**", "++", "  "),
    *("2020-01-01", "12:00:00", "2020-01-01T00:00:00Z", "10:00", "+01:00", "a@b.c"),
    *("http://a.b/c?d=e#f", "127.0.0.1", "::1", "a.tar.gz", "1.2.3", "en_US", "utf-8", "text/html"),
    *(
        "\N{ZERO WIDTH SPACE}",
        "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}",
        "\U0001f600",
        "\N{FULLWIDTH DIGIT ONE}",
    ),
)
"""Notations that programs of all kinds read."""

_JOINTS = ("", "", "", " ", " ", "\n", "=", ":", ",", ".", "/", "-", ";", "_", ": ", " = ", ", ")
_BRACKETS = ("()", "[]", "{}", "<>", "''", '""', "``", "**", "__", "||", "%%", "::", "//")
_PIECES = re.compile(r"[^\W\d_]+|\d+|\s+|.", re.DOTALL)
_NUMBERS = ("0", "00", "1", "-1", "2", "5", "9", "10", "13", "32", "60", "99", "100", "2000", "1.5")
_LONGEST = 400
"""Longer texts are cut: they are slow and nobody wants to read them."""


def pieces(text: str) -> list[str]:
    """The text taken apart into words, numbers, blanks and single characters."""
    return _PIECES.findall(text)


class Text(Shape):
    """Strings."""

    def simple(self) -> Sequence[Sample]:
        return [Sample(self, value) for value in (*NASTY, *NOTATIONS)]

    def draw(self, source: Source, level: int = 0) -> Sample:
        return Sample(self, _drawn(source)[:_LONGEST])

    def mutate(self, content: Any, source: Source) -> Sample:
        return Sample(self, mutated_text(content, source))

    def smaller(self, content: Any) -> Iterator[Sample]:
        return (Sample(self, text) for text in smaller_text(content))

    def extend(self, content: Any, words: Sequence[str]) -> Iterator[Sample]:
        return (Sample(self, text) for text in _extended(content, words))

    def weigh(self, content: Any) -> int:
        return 1 + sum(1 if "!" <= character <= "~" else 3 for character in content)

    def texts(self, content: Any) -> Iterator[str]:
        yield content


class Octets(Shape):
    """Bytes, drawn as text that is written in Latin-1 or UTF-8, or at random."""

    def simple(self) -> Sequence[Sample]:
        found = (b"", b"\0", b"\xff", *(text.encode() for text in (*NASTY[1:], *NOTATIONS)))
        return [Sample(self, value) for value in found]

    def draw(self, source: Source, level: int = 0) -> Sample:
        if source.random.random() < 0.4:
            return Sample(self, _some_octets(source))
        return Sample(self, _drawn(source)[:_LONGEST].encode("utf-8", "replace"))

    def mutate(self, content: Any, source: Source) -> Sample:
        if source.random.random() < 0.4:
            return Sample(self, _mutated_octets(content, source)[:_LONGEST])
        text = mutated_text(content.decode("latin-1"), source)
        return Sample(self, text.encode("latin-1", "replace"))

    def smaller(self, content: Any) -> Iterator[Sample]:
        for text in smaller_text(content.decode("latin-1")):
            yield Sample(self, text.encode("latin-1"))

    def extend(self, content: Any, words: Sequence[str]) -> Iterator[Sample]:
        for text in _extended(content.decode("latin-1"), words):
            yield Sample(self, text.encode("latin-1", "replace"))

    def weigh(self, content: Any) -> int:
        return 1 + len(repr(content))

    def texts(self, content: Any) -> Iterator[str]:
        yield content.decode("latin-1")


def _some_octets(source: Source) -> bytes:
    """Bytes that may be anything; some as binary formats have them, with a count of the rest."""
    random = source.random
    length = source.words.length(random)
    if random.random() < 0.5:
        return random.randbytes(length)
    content = bytes(_octet(source) for _ in range(length))
    return _counted(content, source) if random.random() < 0.6 else content


def _octet(source: Source) -> int:
    """A byte: mostly one of the limits, a small number, or one that the code mentions."""
    random = source.random
    kind = random.random()
    if kind < 0.3:
        return random.choice((0, 1, 127, 128, 255))
    if kind < 0.6:
        return random.randrange(32)
    known = source.words.number(random) if kind < 0.85 else None
    return known if isinstance(known, int) and 0 <= known < 256 else random.randrange(256)


def _mutated_octets(content: bytes, source: Source) -> bytes:
    """The bytes with one to three changes that no text would have."""
    random = source.random
    for _ in range(random.choice((1, 1, 2, 3))):
        place = random.randint(0, len(content))
        kind = random.random()
        if kind < 0.3:
            content = _counted(content, source)
        elif kind < 0.6:
            content = content[:place] + bytes([_octet(source)]) + content[place:]
        else:
            content = content[:place] + bytes([_octet(source)]) + content[place + 1 :]
    return content


def _counted(content: bytes, source: Source) -> bytes:
    """The bytes with the count of those that follow written or inserted somewhere."""
    random = source.random
    place = random.randint(0, len(content))
    kept = place + random.randint(0, 1)
    width = random.choice((1, 1, 1, 2, 4))
    count = max(0, len(content) - kept + random.choice((0, 0, 0, 0, 1, -1)))
    number = min(count, (1 << 8 * width) - 1)
    big = random.random() < 0.7
    written = number.to_bytes(width, "big") if big else number.to_bytes(width, "little")
    return content[:place] + written + content[kept:]


def _drawn(source: Source) -> str:
    random = source.random
    kind = random.random()
    if kind < 0.25:
        return source.words.text(random)
    if kind < 0.35:
        return random.choice(NOTATIONS)
    if kind < 0.45:
        return "".join(random.choice(NASTY) for _ in range(random.randint(1, 4)))
    if kind < 0.6:
        return _row(source)
    joint = random.choice(_JOINTS)
    return joint.join(_word(source) for _ in range(random.randint(2, 5)))


def _word(source: Source) -> str:
    random = source.random
    kind = random.random()
    if kind < 0.6:
        return source.words.text(random)
    if kind < 0.75:
        return random.choice(NASTY)
    if kind < 0.85:
        return random.choice(_NUMBERS)
    if kind < 0.95:
        return random.choice(NOTATIONS)
    return source.words.character(random)


def _row(source: Source) -> str:
    """The same kind of thing several times: fields of a line, lines of a file."""
    random = source.random
    joint = random.choice((" ", ",", "\n", ";", ":", "\t", "|", "/", ".", "-", ""))
    length = source.words.length(random)
    if random.random() < 0.5:
        return joint.join([_word(source)] * length)
    return joint.join(_word(source) for _ in range(length))


def mutated_text(text: str, source: Source) -> str:
    """The text with one to four changes."""
    random = source.random
    for _ in range(random.choice((1, 1, 1, 1, 2, 2, 3, 4))):
        text = random.choice(_CHANGES)(text, source)
    return text[:_LONGEST]


def _insert(text: str, source: Source) -> str:
    parts = pieces(text)
    parts.insert(source.random.randint(0, len(parts)), _word(source))
    return "".join(parts)


def _append(text: str, source: Source) -> str:
    random = source.random
    joint = random.choice(_JOINTS)
    word = _word(source)
    return f"{text}{joint}{word}" if random.random() < 0.7 else f"{word}{joint}{text}"


def _replace(text: str, source: Source) -> str:
    parts = pieces(text)
    if not parts:
        return _word(source)
    place = source.random.randrange(len(parts))
    parts[place] = _like(parts[place], source)
    return "".join(parts)


def _like(piece: str, source: Source) -> str:
    """Something to stand in the place of a piece."""
    random = source.random
    if piece.isdigit() and random.random() < 0.7:
        known = source.words.number(random) if random.random() < 0.3 else None
        return random.choice(_NUMBERS) if known is None else str(known)
    if not piece.isalnum() and random.random() < 0.4:
        return random.choice(NASTY)
    return _word(source)


def _delete(text: str, source: Source) -> str:
    parts = pieces(text)
    start, end = _span(parts, source.random)
    return "".join(parts[:start] + parts[end:])


def _duplicate(text: str, source: Source) -> str:
    parts = pieces(text)
    start, end = _span(parts, source.random)
    times = source.random.choice((1, 1, 2, 3, 4))
    return "".join(parts[:end] + parts[start:end] * times + parts[end:])


def _truncate(text: str, source: Source) -> str:
    if not text:
        return text
    place = source.random.randrange(len(text))
    return text[:place] if source.random.random() < 0.7 else text[place:]


def _swap(text: str, source: Source) -> str:
    parts = pieces(text)
    if len(parts) < 2:
        return text
    one, other = source.random.randrange(len(parts)), source.random.randrange(len(parts))
    parts[one], parts[other] = parts[other], parts[one]
    return "".join(parts)


def _wrap(text: str, source: Source) -> str:
    parts = pieces(text)
    start, end = _span(parts, source.random)
    pair = source.random.choice(_BRACKETS)
    first, last = pair[0], pair[1] if source.random.random() < 0.7 else ""
    return "".join([*parts[:start], first, *parts[start:end], last, *parts[end:]])


def _splice(text: str, source: Source) -> str:
    """The start of this and the end of another, or one inside the other."""
    random = source.random
    mine, theirs = pieces(text), pieces(source.words.neighbour(random))
    cut, other = random.randint(0, len(mine)), random.randint(0, len(theirs))
    if random.random() < 0.5:
        return "".join(mine[:cut] + theirs[other:])
    return "".join(mine[:cut] + theirs[other : other + 8] + mine[cut:])


def _recase(text: str, source: Source) -> str:
    parts = pieces(text)
    if not parts:
        return text
    place = source.random.randrange(len(parts))
    change = source.random.choice((str.upper, str.lower, str.title))
    parts[place] = change(parts[place])
    return "".join(parts)


def _character(text: str, source: Source) -> str:
    random = source.random
    place = random.randint(0, len(text))
    kept = place + random.randint(0, 1)
    return text[:place] + random.choice(NASTY) + text[kept:]


def _repeat(text: str, source: Source) -> str:
    """One piece as often as the code likes."""
    parts = pieces(text)
    if not parts:
        return text
    joint = source.random.choice(_JOINTS)
    repeated = parts if source.random.random() < 0.4 else [source.random.choice(parts)]
    return joint.join(["".join(repeated)] * source.words.length(source.random))


_CHANGES: tuple[Callable[[str, Source], str], ...] = (
    *(_insert, _insert, _insert, _append, _append, _replace, _replace, _replace),
    *(_delete, _delete, _duplicate, _truncate, _swap, _wrap, _splice, _splice),
    *(_recase, _character, _character, _repeat),
)


def _extended(text: str, words: Sequence[str]) -> Iterator[str]:
    """The text followed by each word, then with its last and its first piece replaced by it."""
    parts = pieces(text)
    for word in words:
        yield text + word
    for word in words:
        yield "".join([*parts[:-1], word])
        yield "".join([word, *parts[1:]])
    for word in words:
        yield word + text


def _span(parts: Sequence[str], random: Random) -> tuple[int, int]:
    start = random.randint(0, len(parts))
    return start, min(len(parts), start + random.choice((1, 1, 1, 2, 3, 5)))


def smaller_text(text: str) -> Iterator[str]:
    """Shorter texts first, then texts of plainer pieces."""
    size = len(text)
    step = size
    while step:
        for start in range(0, size, step):
            yield text[:start] + text[start + step :]
        step //= 2
    # Whole pieces only: a word with one plain letter in it is no easier to read.
    parts = pieces(text)
    for place, piece in enumerate(parts):
        for plainer in ("a",) if piece.isalpha() else ("a", "0", " "):
            if plainer == piece:
                break
            yield "".join([*parts[:place], plainer, *parts[place + 1 :]])
