"""`pef.explore`: the library as its users see it."""

from __future__ import annotations

import functools
import subprocess
import sys
from types import CodeType

import pytest

import pef

KEPT: list[int] = []


def absolute(x: int) -> int:
    return x if x >= 0 else -x


def complains(x: int, *, strict: bool = False) -> str:
    print("looking at", x)
    if strict and x < 0:
        raise ValueError(f"{x!r} is negative")
    return "fine"


def halves(x: int) -> int:
    return half(x) + 1


def half(x: int) -> int:
    if x % 2 == 1:
        raise ValueError("odd")
    return x // 2


def doubled(function):  # type: ignore[no-untyped-def]
    @functools.wraps(function)
    def wrapper(*args, **kwargs):  # type: ignore[no-untyped-def]
        return 2 * function(*args, **kwargs)

    return wrapper


@doubled
def decorated(x: int) -> int:
    return 1 if x > 3 else 0


class Tools:
    @staticmethod
    def sign(x: int) -> int:
        return 1 if x > 0 else -1 if x < 0 else 0


def test_a_path_says_all_there_is_to_say() -> None:
    first, second = pef.explore(absolute)
    assert (first.args, first.kwargs, first.outcome, first.result) == ((0,), {}, "returned", 0)
    assert first.condition == ["x >= 0"]
    assert second.args == (-1,)
    assert second.result == 1
    assert second.exception is None
    assert second.reproduced
    assert [(d.kind, d.outcome, d.free) for d in second.decisions] == [("ifexp", False, True)]
    assert second.decisions[0].file == __file__
    assert second.pins == []
    assert second.depth == 1


def test_the_type_of_an_input_is_part_of_the_condition() -> None:
    def optional(x: int | None) -> bool:
        return x is None

    assert [path.condition for path in pef.explore(optional)] == [["type(x) is int"], ["x is None"]]


def test_a_violated_raises_names_its_exception() -> None:
    def fails(n: int) -> None:
        """
        :raises: ArithmeticError: n == 1
        """
        if n < 2:
            raise ArithmeticError

    broken = [path.violation for path in pef.explore(fails) if path.violation]
    assert [violation.text for violation in broken] == ["ArithmeticError: n == 1"]


def test_values_of_a_path_are_plain() -> None:
    for path in pef.explore(absolute):
        assert type(path.args[0]) is int
        assert type(path.result) is int


def test_exceptions_output_and_keywords_are_kept() -> None:
    paths = list(pef.explore(complains))
    raised = [path for path in paths if path.outcome == "raised"]
    assert all(path.kwargs == {"strict": True} for path in raised)
    assert all(isinstance(path.exception, ValueError) for path in raised)
    assert all(path.output == f"looking at {path.args[0]}\n" for path in paths)
    assert raised


def test_called_functions_are_explored_too() -> None:
    exploration = pef.explore(halves)
    outcomes = {path.outcome for path in exploration}
    assert outcomes == {"returned", "raised"}
    assert exploration.summary["exhaustive"]


def as_byte(x: int) -> int:
    return bytes([x % 256])[0]


def asks_beside(x: int) -> int:
    return 1 if as_byte(x) == 7 else 2


def test_nothing_is_lost_in_a_function_beside() -> None:
    assert {path.result for path in pef.explore(asks_beside)} == {1, 2}


def test_functions_run_their_own_code_again_afterwards() -> None:
    before = (halves.__code__, half.__code__)
    list(pef.explore(halves))
    assert (halves.__code__, half.__code__) == before


def test_decorated_and_static_functions_are_explored() -> None:
    assert sorted(path.result for path in pef.explore(decorated)) == [0, 2]
    assert sorted(path.result for path in pef.explore(Tools.sign)) == [-1, 0, 1]


class Account:
    def __init__(self, balance: int) -> None:
        self.balance = balance

    def can_pay(self, price: int) -> bool:
        return True if price <= self.balance else False

    @classmethod
    def named(cls, x: int) -> str:
        return cls.__name__ if x > 3 else "nobody"


def test_bound_methods_are_explored_on_their_object() -> None:
    paths = list(pef.explore(Account(7).can_pay))
    assert {(path.args, path.result) for path in paths} == {((0,), True), ((8,), False)}
    assert all(path.reproduced for path in paths)
    assert {path.result for path in pef.explore(Account.named)} == {"Account", "nobody"}


def test_local_functions_are_explored() -> None:
    limit = 3

    def local(x: int) -> bool:
        return bool(x > limit and x < 10)

    assert {path.result for path in pef.explore(local)} == {True, False}


def test_what_the_caller_changes_between_paths_stays_changed() -> None:
    KEPT.clear()
    for path in pef.explore(absolute):
        KEPT.append(path.result)
    assert KEPT == [0, 1]
    KEPT.clear()


def test_paths_arrive_as_they_are_found_and_can_be_left() -> None:
    def endless(x: int) -> int:
        while x > 0:
            x -= 1
        return x

    exploration = pef.explore(endless, depth=None, strategy="breadth-first")
    assert next(exploration).depth >= 0
    exploration.close()
    assert not exploration.summary["exhaustive"]


def test_every_strategy_finds_the_same_paths() -> None:
    def nested(x: int, y: int) -> int:
        if x > y:
            return 1 if x > 2 * y else 2
        return 3 if x == y else 4

    found = {}
    for strategy in ("depth-first", "breadth-first", "uncovered", "random", "interleaved"):
        found[strategy] = sorted(path.result for path in pef.explore(nested, strategy=strategy))
    assert set(map(tuple, found.values())) == {(1, 2, 3, 4)}


def test_limits_are_kept_and_named() -> None:
    exploration = pef.explore(absolute, max_paths=1)
    assert len(list(exploration)) == 1
    assert exploration.summary["open"] == ["path limit"]


def test_an_endless_loop_ends_with_its_time() -> None:
    def forever(x: int) -> None:
        while True:
            pass

    exploration = pef.explore(forever, timeout=0.3)
    assert [path.outcome for path in exploration] == ["timeout"]
    assert not exploration.summary["exhaustive"]


def test_an_exploration_inside_another_is_refused() -> None:
    def inner(x: int) -> int:
        return x

    def outer(x: int) -> int:
        return len(list(pef.explore(inner)))

    (path,) = pef.explore(outer, max_paths=1)
    assert isinstance(path.exception, RuntimeError)


def test_a_type_that_cannot_be_built_is_named() -> None:
    def takes(z: CodeType) -> CodeType:
        return z

    with pytest.raises(Exception, match="parameter 'z'.*type code"):
        pef.explore(takes)


def test_a_call_is_written_as_it_must_be_made() -> None:
    def generator(x: int):  # type: ignore[no-untyped-def]
        yield x

    def endless(x: int):  # type: ignore[no-untyped-def]
        while True:
            yield x

    async def coroutine(x: int) -> int:
        return x

    calls = []
    for function in (generator, endless, coroutine):
        exploration = pef.explore(function)
        calls += [exploration.call(path) for path in exploration]
    within = "test_a_call_is_written_as_it_must_be_made.<locals>."
    assert [call.replace(within, "") for call in calls] == [
        "list(generator(0))",
        "list(itertools.islice(endless(0), 1000))",
        "asyncio.run(coroutine(0))",
    ]


def test_the_query_log_is_smtlib(tmp_path) -> None:  # type: ignore[no-untyped-def]
    log = tmp_path / "queries.smt2"
    exploration = pef.explore(absolute, query_log=str(log))
    list(exploration)
    exploration.close()
    del exploration
    assert "(check-sat)" in log.read_text()


def test_symbolic_values_left_behind_are_plain() -> None:
    def leak(x: int) -> int:
        sys.modules[__name__].__dict__["LEAKED"] = x
        KEPT.append(x + 1)
        return x

    list(pef.explore(leak))
    assert "LEAKED" not in globals()
    assert KEPT == []


def test_a_function_of_a_script_is_replayed(tmp_path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import pef\n"
        "LIMIT = 3\n"
        "def f(x: int) -> int:\n"
        "    return 1 if x > LIMIT else 0\n"
        "LIMIT = 7\n"
        "for path in pef.explore(f):\n"
        "    print(path.args, path.result, path.reproduced)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout == "(8,) 1 True\n(0,) 0 True\n"


def test_a_function_without_source_is_refused() -> None:
    namespace: dict[str, object] = {}
    exec("def sourceless(x: int) -> int:\n    return x\n", namespace)
    with pytest.raises(Exception, match="cannot explore sourceless"):
        pef.explore(namespace["sourceless"])
