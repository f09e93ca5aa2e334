"""Whether a binary tree is a search tree."""

# bench: dataclass recursion Optional hard
# fails: is_search_tree(Node(0, Node(-1, None, Node(1, None, None)), None))
from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional


@dataclass
class Node:
    value: int
    left: Optional[Node]
    right: Optional[Node]


def values(node: Optional[Node]) -> List[int]:
    if node is None:
        return []
    return [*values(node.left), node.value, *values(node.right)]


def is_search_tree(node: Optional[Node]) -> bool:
    """
    post: _ == all(a < b for a, b in zip(values(node), values(node)[1:]))
    """
    if node is None:
        return True
    if node.left is not None and node.left.value >= node.value:
        return False
    if node.right is not None and node.right.value <= node.value:
        return False
    return is_search_tree(node.left) and is_search_tree(node.right)  # bug: only neighbours
