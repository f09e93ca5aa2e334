"""Inputs from elsewhere that a search starts from, and runs that are bounded one by one."""

from __future__ import annotations

from pef import _native


def checksum(word: str) -> int:
    total = 0
    for letter in word:
        total = (total * 31 + ord(letter)) % 1_000_003
    if total == 743_111 and len(word) == 6:
        raise RuntimeError("found")
    return total


def session(**options: object) -> _native.Session:
    parameters = [("word", "positional", _native.input_str())]
    return _native.Session(checksum, parameters, eager=False, strategy="interleaved", **options)  # type: ignore[arg-type]


def arguments(session: _native.Session, count: int) -> list[object]:
    found = []
    while len(found) < count and (path := session.next_path()) is not None:
        found.append(dict(path.arguments)["word"])
    return [_native.concrete(word) for word in found]


def test_a_seed_is_run_after_the_first_input() -> None:
    searching = session(max_paths=2)
    assert searching.seed({"word": "seed"})
    assert arguments(searching, 2)[1] == "seed"


def test_a_seed_of_another_type_is_refused() -> None:
    searching = session(max_paths=1)
    assert not searching.seed({"word": 1})
    assert not searching.seed({})
    assert not searching.seed({"word": None})


def test_a_run_over_its_limit_is_cut_off_and_the_search_goes_on() -> None:
    def slow(number: int) -> int:
        if number == 7:
            while True:
                pass
        return number

    parameters = [("number", "positional", _native.input_int())]
    searching = _native.Session(
        slow, parameters, eager=False, strategy="interleaved", timeout=60.0, run_timeout=0.2
    )
    endings = []
    while (path := searching.next_path()) is not None:
        endings.append(path.ending)
    assert sorted(endings) == ["returned", "timeout"]
