"""What a child has of the process that forked it."""

import os
import time

from pef.replay.child import Child


def is_open(descriptor):
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def test_a_child_gets_nothing_of_another():
    theirs, ours = os.pipe()
    first = Child(lambda send: time.sleep(60), ours)
    held = [ours, *first._open, *([first._leash.descriptor] if first._leash.descriptor else [])]
    second = Child(lambda send: send({"open": str([each for each in held if is_open(each)])}))
    try:
        while not second.done:
            second.listen(time.monotonic() + 10, theirs)
        assert second.verdict() == {"open": "[]"}
        assert all(is_open(each) for each in held)
    finally:
        second.end()
        first.end()
        os.close(theirs)
        os.close(ours)
