"""A calculator for reverse Polish notation."""

# bench: enum list tuple hard
# fails: result([(Op.PUSH, 0), (Op.PUSH, 0), (Op.DIVIDE, 0)])
from enum import Enum
from typing import List, Tuple


class Op(Enum):
    PUSH = 0
    ADD = 1
    NEGATE = 2
    DIVIDE = 3


def result(program: List[Tuple[Op, int]]) -> int:
    """
    pre: 1 <= len(program) <= 5
    post: True
    raises: IndexError
    """
    stack: List[int] = []
    for op, number in program:
        if op is Op.PUSH:
            stack.append(number)
        elif op is Op.NEGATE:
            stack.append(-stack.pop())
        elif op is Op.ADD:
            stack.append(stack.pop() + stack.pop())
        else:
            divisor = stack.pop()
            stack.append(stack.pop() // divisor)  # bug: nobody looks at the divisor
    return stack.pop()
