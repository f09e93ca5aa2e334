"""Binary data: `bytes` and its kin, and what is packed in them.

One room per subject. Encodings stand with text (`pef.models.text.codecs`); the methods that work
alike for `str` and `bytes` stand there too and are only attached here.
"""

from __future__ import annotations

_ROOMS = (
    *(f"pef.models.binary.{name}" for name in ("construction", "methods", "arrays", "views")),
    *(f"pef.models.binary.{name}" for name in ("integers", "structs", "hexadecimal", "base64")),
    *("pef.models.binary.checksums", "pef.models.text.codecs"),
)


def install() -> None:
    """Registers the models of all rooms."""
    from importlib import import_module

    for name in _ROOMS:
        import_module(name).install()
