"""What isolation costs: the same checks with the hook and the kernel's layer, and without.

    python benches/isolation.py            fails if the median ratio is above 1.10
    python benches/isolation.py --rounds 9 --paths 2000

Both are measured by turns in one run, in processor time of all processes of a check, so the ratio
depends neither on the machine nor on what else it does. Forks are counted besides: they must not
grow with the paths.
"""

from __future__ import annotations

import argparse
import mmap
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1.10
CASES = '''
def quicksort(l: list[int]) -> list[int]:
    """
    :assume: len(l) <= 6
    :ensure: len(returnv) == len(l)
    """
    if len(l) <= 1:
        return l
    first, rest = l[0], l[1:]
    small = quicksort([x for x in rest if x < first])
    return small + [first] + quicksort([x for x in rest if x >= first])


def queue(pushes: int, pops: int) -> int:
    """:assume: pushes < 40, pops < 40"""
    items = []
    i = 0
    while i < pushes:
        items.append(i)
        i += 1
    j = 0
    while j < pops and items:
        items.pop()
        j += 1
    return len(items)


def words(text: str) -> dict[str, int]:
    """:assume: len(text) <= 6"""
    counts: dict[str, int] = {}
    for word in text.split(","):
        counts[word] = counts.get(word, 0) + 1
    return counts
'''
# Runs in every process of a check: a page that all of them share counts their forks.
COUNTER = """
import mmap, os
with open(os.environ["PEF_FORKS"], "r+b") as _file:
    _page = mmap.mmap(_file.fileno(), mmap.PAGESIZE)
def _count():
    _page[:8] = (int.from_bytes(_page[:8], "little") + 1).to_bytes(8, "little")
os.register_at_fork(before=_count)
"""


def main() -> int:
    """Measure, print, and say whether the promise holds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--paths", type=int, default=1500, help="of each function, at most")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        bench.seconds(options.paths)  # what is loaded for the first time is not measured
        ratios = []
        for number in range(options.rounds):
            with_it = bench.seconds(options.paths)
            without = bench.seconds(options.paths, "--allow", "all")
            ratios.append(with_it / without)
            print(f"round {number + 1}: {with_it:.2f} s isolated, {without:.2f} s not", flush=True)
        few, many = bench.forks(options.paths // 10), bench.forks(options.paths)
    ratio = statistics.median(ratios)
    print(f"isolation costs {ratio - 1:+.1%} of processor time (at most {LIMIT - 1:.0%})")
    print(f"{few} forks for up to {options.paths // 10} paths, {many} for up to {options.paths}")
    return int(ratio > LIMIT)


class Bench:
    """The cases in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "cases.py").write_text(CASES, encoding="utf-8")
        (folder / "site").mkdir()
        (folder / "site" / "sitecustomize.py").write_text(COUNTER, encoding="utf-8")
        self._counter = folder / "forks"

    def seconds(self, paths: int, *words: str) -> float:
        """Processor time of a check, with all its processes."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self._check(paths, words, {})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def forks(self, paths: int) -> int:
        """How many processes a check has forked."""
        self._counter.write_bytes(bytes(mmap.PAGESIZE))
        path = [str(self._folder / "site"), os.environ.get("PYTHONPATH", "")]
        environment = {"PYTHONPATH": os.pathsep.join(path), "PEF_FORKS": str(self._counter)}
        self._check(paths, (), environment)
        return int.from_bytes(self._counter.read_bytes()[:8], "little")

    def _check(self, paths: int, words: tuple[str, ...], environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "pef", "check", "cases.py", "--no-cache", "--jobs", "1"]
        limits = ["--max-paths", str(paths), "--timeout", "120", "--patience", "120"]
        done = subprocess.run(
            [*command, *limits, *words],
            cwd=self._folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
        )
        if done.returncode not in (0, 1, 3):
            sys.exit(done.stderr)


if __name__ == "__main__":
    sys.exit(main())
