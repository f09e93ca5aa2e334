"""Names for contents: of code that was analysed, of findings.

`hashlib` loads OpenSSL when it is imported, which takes longer than all we hash in most runs, so
the interpreter's own hash is asked for first.
"""

from __future__ import annotations

try:
    from _blake2 import blake2b  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    from hashlib import blake2b

_BYTES = 32


def digest(content: bytes) -> bytes:
    """A name for a content, as bytes."""
    named: bytes = blake2b(content, digest_size=_BYTES).digest()
    return named


def hex_digest(text: str) -> str:
    """A name for a text, as hexadecimal digits."""
    return digest(text.encode("utf-8", "surrogatepass")).hex()
