"""A log record: four bytes of checksum, one of length, then the data."""

# bench: bytes int hard
# fails: data_of(b'\x00\x00\x00\x00\x09')
import zlib


def data_of(record: bytes) -> bytes:
    """
    pre: 5 <= len(record) <= 8
    post: len(_) == record[4]
    raises: ValueError
    """
    checksum = int.from_bytes(record[:4], "big")
    data = record[5:]
    if zlib.crc32(data) & 0xFFFFFFFF != checksum:
        raise ValueError("damaged")
    return data  # bug: the length is not covered by the checksum and never looked at
