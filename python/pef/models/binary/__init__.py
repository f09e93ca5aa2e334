"""Binary data: `bytes` beyond what it shares with `str`, `bytearray`, `memoryview`, and what is packed in them.

One room per subject. Encodings stand with text (`pef.models.text.codecs`); the methods that work alike
for `str` and `bytes` stand there too and are only attached here.
"""

from __future__ import annotations


def install() -> None:
    """Registers the models of all rooms."""
    from pef.models.binary import base64, checksums, construction, hexadecimal, integers, structs
    from pef.models.text import codecs

    for room in (construction, integers, structs, hexadecimal, base64, checksums, codecs):
        room.install()
