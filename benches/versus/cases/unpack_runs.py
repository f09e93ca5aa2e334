"""Unpacking of compressed data: literals, and copies of what came before."""

# bench: bytes list loop hard
# fails: unpacked(b'\x90\x00')
from typing import List


def unpacked(data: bytes) -> List[int]:
    """
    pre: len(data) <= 6
    post: len(_) <= 40
    raises: ValueError
    """
    out: List[int] = []
    i = 0
    while i < len(data):
        code = data[i]
        if code < 128:
            out.append(code)
            i += 1
            continue
        if i + 1 >= len(data):
            raise ValueError("ends early")
        length, back = code - 128, data[i + 1]
        if length > 16 or back > len(out):
            raise ValueError("bad copy")
        for _ in range(length):
            out.append(out[-back])  # bug: back may be zero, with nothing to copy yet
        i += 2
    return out
