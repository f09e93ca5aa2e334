"""The functions of the PEF thesis, as SPEC section 8 describes them.

The expected figures are paths, depth and pruned paths with a depth limit of ten.
"""


def one_test(x: int) -> int:  # 2/1/0
    if x > 5:
        return 1
    return 0


def two_tests(x: int, y: int) -> int:  # 4/2/0
    total = 0
    if x > 3:
        total += 1
    if y < 7:
        total += 2
    return total


def count_up(y: int, j: int) -> int:  # 11/10/1
    while y >= j:
        j += 1
    return j


def divide(a: int, b: int) -> int:  # 2/1/0
    return a // b


def combinations(a, b):  # 4/0/0
    """
    :type: a: [int, list], b: [int, list]
    """
    return None


def push_and_pop(pushes: int, pops: int) -> int:  # 36/10/6
    queue = []
    i = 0
    while i < pushes:
        queue.append(i)
        i += 1
    j = 0
    while j < pops:
        queue.pop(0)
        j += 1
    return len(queue)


class Lista:
    """A linked list."""

    def __init__(self, sig):
        """
        :type: sig: [Lista, NoneType]
        """
        self.sig = sig


def length(items, n):  # 20/10/0
    """
    :type: items: Lista, n: [int, NoneType]
    """
    count = 0
    while items is not None:
        items = items.sig
        count += 1
    return count


class Tree:
    """A binary tree."""

    def __init__(self, left, right):
        """
        :type: left: [NoneType, Tree], right: [NoneType, Tree]
        """
        self.left = left
        self.right = right


def size(tree: Tree) -> int:  # 64/10/0
    return 1 + sum(size(child) for child in (tree.left, tree.right) if child is not None)


def divisible(x: int, y: int) -> bool:  # 20/10/2
    """
    :assume: x > y
    """
    if x > y:
        return divisible(x - y, y)
    if x == y:
        return True
    return False
