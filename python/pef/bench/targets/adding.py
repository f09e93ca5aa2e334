"""The cost of one addition, measured from inside the run."""

import time


def thousand_adds(x: int, y: int) -> int:
    """Nanoseconds for a thousand additions, the loop around them included."""
    start = time.perf_counter_ns()
    for _ in range(50):
        x + y; x + y; x + y; x + y; x + y; x + y; x + y; x + y; x + y; x + y  # fmt: skip # noqa: B018, E702
        x + y; x + y; x + y; x + y; x + y; x + y; x + y; x + y; x + y; x + y  # fmt: skip # noqa: B018, E702
    return time.perf_counter_ns() - start
