"""Cutting a list into chunks."""

# bench: generator list
# fails: pages([0], 2)
from typing import Iterator, List


def chunks(items: List[int], size: int) -> Iterator[List[int]]:
    chunk = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if len(chunk) > 1:  # bug: a last chunk of one
        yield chunk


def pages(items: List[int], size: int) -> List[List[int]]:
    """
    pre: len(items) <= 6
    pre: 1 <= size <= 4
    post: sum(len(page) for page in _) == len(items)
    """
    return list(chunks(items, size))
