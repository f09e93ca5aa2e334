"""The codes of findings: one table.

A code and its name are stable: they are in people's `# pef: ignore[...]` comments, configurations
and dashboards. A code is never used again for something else. What a code means at length is a page
of `pef.checking.explain`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pef.records import NamedTuple

Severity = Literal["error", "warning"]


class Code(NamedTuple):
    """One kind of finding."""

    code: str
    """`PEF001`."""
    name: str
    """`index-out-of-range`."""
    meaning: str
    """One sentence, without the full stop."""
    exceptions: tuple[str, ...] = ()
    """The exception types that are reported so, their subclasses included."""
    severity: Severity = "error"
    """Whether the program is wrong, or only the analysis wants attention."""


CODES = (
    Code("PEF001", "index-out-of-range", "a sequence has no such position", ("IndexError",)),
    Code("PEF002", "missing-key", "a mapping or set has no such key", ("KeyError",)),
    Code("PEF003", "division-by-zero", "a divisor can be zero", ("ZeroDivisionError",)),
    Code("PEF004", "wrong-type", "a value has a type that does not fit", ("TypeError",)),
    Code("PEF005", "missing-attribute", "an object has no such attribute", ("AttributeError",)),
    Code("PEF006", "wrong-value", "a value has the right type and does not fit", ("ValueError",)),
    Code("PEF007", "failed-assertion", "an assert can fail", ("AssertionError",)),
    Code("PEF008", "numeric-overflow", "a number is too large for its type", ("OverflowError",)),
    Code("PEF009", "unicode-error", "text cannot be encoded or decoded", ("UnicodeError",)),
    Code("PEF010", "endless-recursion", "a recursion does not end", ("RecursionError",)),
    Code("PEF011", "unbound-name", "a name is used before it has a value", ("NameError",)),
    Code(
        "PEF012",
        "exhausted-iterator",
        "next() is called on an iterator that has nothing left",
        ("StopIteration", "StopAsyncIteration"),
    ),
    Code("PEF019", "uncaught-exception", "an exception of another type is not caught"),
    Code("PEF020", "undeclared-exception", "the contract does not allow this exception"),
    Code("PEF021", "broken-postcondition", "the result is not what the contract promises"),
    Code("PEF022", "broken-invariant", "an object is left in a state its class rules out"),
    Code("PEF023", "broken-precondition", "a function is called against its contract"),
    Code("PEF024", "raised-exception", "a raise statement is reached (--all-exceptions)"),
    Code("PEF030", "timeout", "a call does not end in time"),
    Code("PEF031", "crash", "a call kills the interpreter"),
    Code("PEF032", "process-exit", "a call ends the process"),
    Code("PEF033", "resource", "a call needs more memory than allowed", ("MemoryError",)),
    Code("PEF034", "side-effect", "a call acts on the world outside", (), "warning"),
    Code("PEF035", "leaked-thread", "a call leaves a thread running", (), "warning"),
    Code("PEF036", "flaky", "the same call behaves differently each time", (), "warning"),
    Code("PEF090", "unused-suppression", "a pef: ignore comment hides nothing", (), "warning"),
)

_BY_WORD = {word: code for code in CODES for word in (code.code, code.name)}
_BY_EXCEPTION = {kind: code for code in CODES for kind in code.exceptions}
_OTHER = _BY_WORD["uncaught-exception"]


def code_of(kinds: Iterable[str]) -> Code:
    """Return the code of an exception, by the qualified names of its classes, most special first.

    >>> code_of(["UnicodeDecodeError", "UnicodeError", "ValueError"]).name
    'unicode-error'
    >>> code_of(["mypkg.Oops", "Exception"]).code
    'PEF019'
    """
    return next((_BY_EXCEPTION[kind] for kind in kinds if kind in _BY_EXCEPTION), _OTHER)


def named(word: str) -> Code:
    """Return the code of that name or number; a `KeyError` if there is none.

    >>> named("division-by-zero") is named("PEF003")
    True
    """
    return _BY_WORD[word]
