"""Binary data: `bytes` beyond what it shares with `str`, `bytearray`, `memoryview`, and what is packed in them.

One room per subject. Encodings stand with text (`pef.models.text.codecs`); the methods that work alike
for `str` and `bytes` stand there too and are only attached here.
"""

from __future__ import annotations


def install() -> None:
    """Registers the models of all rooms."""
    from pef.models.binary import arrays, base64, checksums, construction, hexadecimal
    from pef.models.binary import integers, methods, structs, views
    from pef.models.text import codecs

    rooms = (construction, methods, arrays, views, integers, structs, hexadecimal, base64, checksums)
    for room in (*rooms, codecs):
        room.install()
