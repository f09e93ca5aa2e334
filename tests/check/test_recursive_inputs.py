"""Objects made of objects of the same class: small ones come first, and there is no end to them."""

import pytest

TREE = """
    from __future__ import annotations
    from dataclasses import dataclass
    from typing import Optional

    @dataclass
    class Node:
        key: int
        left: Optional[Node] = None
        right: Optional[Node] = None

    def size(tree: Optional[Node]) -> int:
        '''
        post: _ != 3
        '''
        return 0 if tree is None else size(tree.left) + size(tree.right) + 1
"""
EXPRESSIONS = """
    from dataclasses import dataclass
    from typing import Union

    @dataclass
    class Sum:
        left: "Expression"
        right: "Expression"

    @dataclass
    class Negated:
        inner: "Expression"

    @dataclass
    class Number:
        value: int

    Expression = Union[Sum, Negated, Number]

    def size(expression: Expression) -> int:
        '''
        post: _ != 3
        '''
        match expression:
            case Sum(left, right):
                return size(left) + size(right)
            case Negated(inner):
                return size(inner)
        return 1
"""


@pytest.mark.parametrize("text", [TREE, EXPRESSIONS], ids=["tree", "expressions"])
def test_small_objects_come_first(project, text):
    project.write(m=text)
    checked = project.check("m.py", "--max-paths", "200")
    assert checked.verdict("size") == "error"
    (found,) = checked.report["findings"]
    assert len(found["call"]) < 100


def test_ever_larger_objects_are_no_news(project):
    project.write(m=TREE.replace("_ != 3", "_ >= 0"))
    checked = project.check("m.py", "--timeout", "8", "--patience", "1")
    assert "nothing new for 1 s" in checked.reasons("size")
