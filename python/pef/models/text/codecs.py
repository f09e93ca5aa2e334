"""`str.encode` and `bytes.decode`.

UTF-8, ASCII and Latin-1 agree on ASCII, so text is taken in runs of ASCII, each a term whatever its
length, and only what stands between them is decided: of which form it is, or that it has none.
Other encodings pin.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn

from pef import _native
from pef._native import CharClass, apply, decide
from pef.models.binary.octets import count_of, from_octets, joined
from pef.models.text.calling import Unfit
from pef.records import record

_LAST = 0x10FFFF


@record(frozen=True)
class _Codec:
    """What differs between encodings."""

    name: str
    """As exceptions give it."""
    last: int
    """The last character that is one byte of the same number."""
    reason: str

    @property
    def is_utf8(self) -> bool:
        return self.name == "utf-8"


_CODECS = {
    "utf-8": _Codec("utf-8", 0x7F, "surrogates not allowed"),
    "ascii": _Codec("ascii", 0x7F, "ordinal not in range(128)"),
    "iso8859-1": _Codec("latin-1", 0xFF, "ordinal not in range(256)"),
}


@cache
def _class(*ranges: tuple[int, int]) -> CharClass:
    return CharClass(ranges)


@cache
def _hexadecimal() -> _native.CharMap:
    return _native.CharMap([(digit, ord("0123456789abcdef"[digit])) for digit in range(16)])


def encode(text: Any, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
    """`str.encode`."""
    codec = _chosen(encoding, errors)
    if codec is None or errors not in _ENCODING_ERRORS:
        raise Unfit
    return _encoded(text, codec, errors)


def decode(data: Any, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
    """`bytes.decode`."""
    codec = _chosen(encoding, errors)
    if codec is None or errors not in _DECODING_ERRORS:
        # Nothing is looked up for no bytes.
        if isinstance(encoding, str) and isinstance(errors, str) and not data:
            return ""
        raise Unfit
    return _decoded(data, codec, errors)


def _chosen(encoding: Any, errors: Any) -> _Codec | None:
    if not (isinstance(encoding, str) and isinstance(errors, str)):
        raise Unfit
    try:
        name = codecs.lookup(_native.pinned(encoding, "the name of an encoding")).name
    except (LookupError, ValueError):
        return None
    return _CODECS.get(name)


@record
class _Reading:
    """A text and how far it was read."""

    text: Any
    codec: _Codec
    errors: str
    position: int = 0

    def __post_init__(self) -> None:
        self.length = apply("length", self.text)
        self.single = _class((0, self.codec.last))

    def pieces(self, kind: str, special: Callable[[_Reading], Any]) -> list[Any]:
        """All runs of single bytes, recoded, and what `special` reads between them.

        Where a run ends is decided, unless it is the last: positions in positions make terms that
        no one can read or solve.
        """
        found: list[Any] = []
        while True:
            rest = apply("slice", self.text, self.position, self.length)
            run = apply("span", rest, table=self.single)
            if decide(run >= self.length - self.position, "domain"):
                return [*found, apply(kind, rest)]
            start, self.position = self.position, self.position + count_of(run)
            found.append(apply(kind, apply("slice", self.text, start, self.position)))
            found.append(special(self))

    def at(self, offset: int = 0) -> Any:
        """The unit at this distance; -1 past the end."""
        return apply("at", self.text, self.position + offset)

    def is_at_end(self, offset: int) -> bool:
        return decide(self.position + offset >= self.length, "domain")


def _encoded(text: Any, codec: _Codec, errors: str) -> Any:
    return joined(_Reading(text, codec, errors).pieces("as_bytes", _encoded_special))


def _encoded_special(reading: _Reading) -> Any:
    """A character that is no single byte."""
    code = reading.at()
    if reading.codec.is_utf8:
        if decide(code < 0x800, "domain"):
            reading.position += 1
            return from_octets([0xC0 + code // 64, 0x80 + code % 64])
        surrogate = apply("in_class", code, table=_surrogates())
        if not decide(surrogate, "domain"):
            reading.position += 1
            return _long_form(code)
    return _ENCODING_ERRORS[reading.errors](reading, code)


def _surrogates() -> CharClass:
    return _class((0xD800, 0xDFFF))


def _long_form(code: Any) -> Any:
    if decide(code < 0x10000, "domain"):
        return _three_bytes(code)
    middle = [0x80 + code // 4096 % 64, 0x80 + code // 64 % 64]
    return from_octets([0xF0 + code // 262144, *middle, 0x80 + code % 64])


def _three_bytes(code: Any) -> Any:
    return from_octets([0xE0 + code // 4096, 0x80 + code // 64 % 64, 0x80 + code % 64])


def _refuse_to_encode(reading: _Reading, code: Any) -> NoReturn:
    """Raises for the whole run of characters that have no bytes."""
    start, codec = reading.position, reading.codec
    bad = _surrogates() if codec.is_utf8 else _class((codec.last + 1, _LAST))
    rest = apply("slice", reading.text, start, reading.length)
    end = start + count_of(apply("span", rest, table=bad))
    raise UnicodeEncodeError(codec.name, reading.text, start, end, codec.reason)


def _encode_nothing(reading: _Reading, code: Any) -> Any:
    reading.position += 1
    return b""


def _encode_question_mark(reading: _Reading, code: Any) -> Any:
    reading.position += 1
    return b"?"


def _encode_reference(reading: _Reading, code: Any) -> Any:
    reading.position += 1
    digits = apply("as_bytes", apply("from_int", code, table=10))
    return joined([b"&#", digits, b";"])


def _encode_escape(reading: _Reading, code: Any) -> Any:
    reading.position += 1
    if decide(code < 0x100, "domain"):
        return joined([b"\\x", from_octets(_digits(code, 2))])
    if decide(code < 0x10000, "domain"):
        return joined([b"\\u", from_octets(_digits(code, 4))])
    return joined([b"\\U", from_octets(_digits(code, 8))])


def _digits(number: Any, count: int) -> list[Any]:
    places = range(count - 1, -1, -1)
    return [apply("map_code", number // 16**k % 16, table=_hexadecimal()) for k in places]


def _encode_lone_byte(reading: _Reading, code: Any) -> Any:
    """`surrogateescape`: what decoding made of a byte is that byte again."""
    if not decide(apply("in_class", code, table=_class((0xDC80, 0xDCFF))), "domain"):
        _refuse_to_encode(reading, code)
    reading.position += 1
    return from_octets([code - 0xDC00])


def _encode_surrogate(reading: _Reading, code: Any) -> Any:
    """`surrogatepass`: a surrogate like any other character."""
    if not reading.codec.is_utf8:
        _refuse_to_encode(reading, code)
    reading.position += 1
    return _three_bytes(code)


_ENCODING_ERRORS: dict[str, Callable[[_Reading, Any], Any]] = {
    "strict": _refuse_to_encode,
    "ignore": _encode_nothing,
    "replace": _encode_question_mark,
    "xmlcharrefreplace": _encode_reference,
    "backslashreplace": _encode_escape,
    "surrogateescape": _encode_lone_byte,
    "surrogatepass": _encode_surrogate,
}


def _decoded(data: Any, codec: _Codec, errors: str) -> Any:
    return joined(_Reading(data, codec, errors).pieces("as_str", _decoded_special))


def _decoded_special(reading: _Reading) -> Any:
    """What begins with a byte that is no character by itself."""
    if not reading.codec.is_utf8:
        return _DECODING_ERRORS[reading.errors](reading, 1, reading.codec.reason)
    lead, *further = (reading.at(offset) for offset in range(4))
    for size, form in _FORMS.items():
        if decide(form(lead, *further[: size - 1]), "domain"):
            reading.position += size
            return apply("from_code", _combined(lead, further[: size - 1]))
    size, reason = _broken(reading, lead, further)
    return _DECODING_ERRORS[reading.errors](reading, size, reason)


def _combined(lead: Any, further: list[Any]) -> Any:
    """The character of a whole sequence."""
    code = lead - {1: 0xC0, 2: 0xE0, 3: 0xF0}[len(further)]
    for byte in further:
        code = code * 64 + (byte - 0x80)
    return code


def _within(byte: Any, first: int, last: int) -> Any:
    return apply("in_class", byte, table=_class((first, last)))


def _is_pair(lead: Any, second: Any) -> Any:
    return _within(lead, 0xC2, 0xDF) & _within(second, 0x80, 0xBF)


def _is_triple(lead: Any, second: Any, third: Any) -> Any:
    return _within(lead, 0xE0, 0xEF) & _fits_lead(lead, second) & _within(third, 0x80, 0xBF)


def _is_quadruple(lead: Any, second: Any, third: Any, fourth: Any) -> Any:
    begins = _within(lead, 0xF0, 0xF4) & _fits_lead(lead, second)
    return begins & _within(third, 0x80, 0xBF) & _within(fourth, 0x80, 0xBF)


_FORMS: dict[int, Callable[..., Any]] = {2: _is_pair, 3: _is_triple, 4: _is_quadruple}
"""By the number of bytes: whether they are one character."""


def _fits_lead(lead: Any, second: Any) -> Any:
    """Whether the second byte can follow the first: not overlong, no surrogate, not too large."""
    continues = _within(second, 0x80, 0xBF)
    low = _within(lead, 0xE0, 0xE0) & _within(second, 0x80, 0x9F)
    low = low | (_within(lead, 0xF0, 0xF0) & _within(second, 0x80, 0x8F))
    high = _within(lead, 0xED, 0xED) & _within(second, 0xA0, 0xBF)
    high = high | (_within(lead, 0xF4, 0xF4) & _within(second, 0x90, 0xBF))
    return continues & _negated(low | high)


def _negated(truth: Any) -> Any:
    return _native.__pef_not__(truth)


def _broken(reading: _Reading, lead: Any, further: list[Any]) -> tuple[int, str]:
    """How many bytes of a sequence that is none belong together, and what is wrong with it."""
    if not decide(_within(lead, 0xC2, 0xF4), "domain"):
        return 1, "invalid start byte"
    if not decide(_fits_lead(lead, further[0]), "domain"):
        return 1, _missing(reading, 1)
    if not decide(_within(further[1], 0x80, 0xBF), "domain"):
        return 2, _missing(reading, 2)
    return 3, _missing(reading, 3)


def _missing(reading: _Reading, offset: int) -> str:
    return "unexpected end of data" if reading.is_at_end(offset) else "invalid continuation byte"


def _refuse_to_decode(reading: _Reading, size: int, reason: str) -> NoReturn:
    start, name = reading.position, reading.codec.name
    raise UnicodeDecodeError(name, reading.text, start, start + size, reason)


def _decode_nothing(reading: _Reading, size: int, reason: str) -> Any:
    reading.position += size
    return ""


def _decode_replacement(reading: _Reading, size: int, reason: str) -> Any:
    reading.position += size
    return "\ufffd"


def _decode_escape(reading: _Reading, size: int, reason: str) -> Any:
    parts: list[Any] = []
    for offset in range(size):
        digits = _digits(reading.at(offset), 2)
        parts += ["\\x", *(apply("from_code", digit) for digit in digits)]
    reading.position += size
    return joined(parts)


def _decode_lone_bytes(reading: _Reading, size: int, reason: str) -> Any:
    """`surrogateescape`: bytes that mean nothing become surrogates."""
    codes = [0xDC00 + reading.at(offset) for offset in range(size)]
    reading.position += size
    return joined(apply("from_code", code) for code in codes)


def _decode_surrogate(reading: _Reading, size: int, reason: str) -> Any:
    """`surrogatepass`: three bytes that would be a surrogate are one."""
    lead, second, third = (reading.at(offset) for offset in range(3))
    is_surrogate = _within(lead, 0xED, 0xED) & _within(second, 0xA0, 0xBF)
    is_surrogate = is_surrogate & _within(third, 0x80, 0xBF)
    if not (reading.codec.is_utf8 and decide(is_surrogate, "domain")):
        _refuse_to_decode(reading, size, reason)
    reading.position += 3
    return apply("from_code", _combined(lead, [second, third]))


_DECODING_ERRORS: dict[str, Callable[[_Reading, int, str], Any]] = {
    "strict": _refuse_to_decode,
    "ignore": _decode_nothing,
    "replace": _decode_replacement,
    "backslashreplace": _decode_escape,
    "surrogateescape": _decode_lone_bytes,
    "surrogatepass": _decode_surrogate,
}
