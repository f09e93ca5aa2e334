"""What `pef check` says of functions: errors that are real, proofs that hold, an honest rest."""

import pytest


def test_an_implicit_exception_is_an_error_and_its_call_can_be_pasted(project):
    project.write(
        shop="""
        def mean(values: list[int]) -> float:
            return sum(values) // len(values)
    """
    )
    checked = project.check("shop.py")
    assert checked.code == 1
    [found] = checked.report["findings"]
    assert (found["code"], found["call"], found["line"]) == ("PEF003", "mean([])", 3)
    assert project.fails(found)


def test_a_finite_tree_without_errors_is_a_proof(project):
    project.write(
        m="""
        def sign(x: int) -> int:
            '''
            :ensure: returnv in (-1, 0, 1)
            '''
            return (x > 0) - (x < 0)
    """
    )
    checked = project.check("m.py")
    assert (checked.code, checked.verdict("sign"), checked.reasons("sign")) == (0, "proved", [])


def test_an_endless_tree_is_no_proof_and_says_what_ended_the_search(project):
    project.write(
        m="""
        def count(n: int) -> int:
            i = 0
            while i < n:
                i += 1
            return i
    """
    )
    checked = project.check("m.py", "--timeout", "2")
    assert (checked.code, checked.verdict("count")) == (0, "no-error-found")
    assert checked.reasons("count")


def test_a_raise_of_the_project_is_behaviour_unless_all_exceptions_are_asked_for(project):
    project.write(
        m="""
        def root(x: int) -> int:
            if x < 0:
                raise ValueError("negative")
            return x
    """
    )
    assert project.check("m.py").verdict("root") == "proved"
    checked = project.check("m.py", "--all-exceptions")
    assert (checked.code, checked.names) == (1, ["raised-exception"])


def test_a_raise_in_a_library_is_an_error_of_the_caller(project):
    project.write(
        m="""
        import json

        def port(text: str) -> int:
            return json.loads(text)["port"]
    """
    )
    checked = project.check("m.py", "--timeout", "5")
    assert checked.code == 1
    assert "json.decoder.JSONDecodeError" in {
        each["exception"]["type"] for each in checked.report["findings"]
    }


def test_a_failing_assert_is_an_error_and_a_leading_one_an_assumption(project):
    project.write(
        m="""
        def f(x: int) -> int:
            assert x > 0
            y = x - 5
            assert y != 7
            return y
    """
    )
    checked = project.check("m.py")
    assert (checked.names, checked.calls) == (["failed-assertion"], ["f(12)"])


@pytest.mark.parametrize(
    ("promise", "name", "call"),
    [
        (":ensure: returnv != 10", "broken-postcondition", "f(10)"),
        (":raises: KeyError: True", "undeclared-exception", "f(3)"),
    ],
)
def test_a_broken_contract_names_its_clause(project, promise, name, call):
    project.write(
        m=f"""
        def f(x: int) -> int:
            '''
            {promise}
            '''
            if x == 3:
                raise ValueError
            return x
    """
    )
    checked = project.check("m.py")
    [found] = [each for each in checked.report["findings"] if each["name"] == name]
    assert found["call"] == call
    assert found["contract"]["kind"] in promise


def test_an_exception_that_is_declared_is_no_error(project):
    project.write(
        m="""
        def f(x: int) -> float:
            '''
            :raises: ZeroDivisionError: x == 0
            '''
            return 1 // x
    """
    )
    assert project.check("m.py").verdict("f") == "proved"


def test_one_cause_is_reported_once_however_many_functions_lead_to_it(project):
    project.write(
        m="""
        def inner(x: int) -> int:
            return 10 // x

        def outer(x: int) -> int:
            return inner(x - 1)
    """
    )
    checked = project.check("m.py")
    assert checked.calls == ["inner(0)"]
    assert checked.verdict("outer") == "error"


def test_two_objects_that_may_be_one_are_tried_as_one(project):
    project.write(
        m="""
        from typing import List

        def f(s: List[int], t: List[int]) -> None:
            ''' post: True '''
            if s is t and len(s) == 2:
                raise Exception("same")
    """
    )
    checked = project.check("m.py")
    assert checked.code == 1
    assert checked.verdict("f") == "error"


def test_correct_float_code_with_tiny_divisors_gives_no_error(project):
    project.write(
        m="""
        def f(x: float) -> float:
            '''
            post: True
            '''
            if x == -2.6229075025237076e+16:
                return x % 2.5890419884777833e-42
            return 0.0
    """
    )
    assert project.check("m.py").report["findings"] == []


def test_methods_properties_generators_and_coroutines_are_analysed(project):
    project.write(
        m="""
        class Point:
            def __init__(self, x: int, y: int) -> None:
                self.x = x
                self.y = y

            @property
            def slope(self) -> float:
                return self.y // self.x

            @staticmethod
            def half(n: int) -> int:
                return 10 // n

        async def later(n: int) -> int:
            return 7 // n

        def parts(n: int):
            yield 5 // n
    """
    )
    checked = project.check("m.py")
    assert set(checked.calls) == {
        "Point(0, 0).slope",
        "Point.half(0)",
        "asyncio.run(later(0))",
        "list(parts(0))",
    }
    for found in checked.report["findings"]:
        assert project.fails(found)


def test_objects_that_methods_change_beyond_their_constructor_are_no_proof(project):
    project.write(
        m="""
        class Counter:
            def __init__(self) -> None:
                self.n = 0

            def increase(self) -> None:
                self.n += 1

            def is_new(self) -> bool:
                '''
                :ensure: returnv
                '''
                return self.n == 0
    """
    )
    checked = project.check("m.py")
    assert checked.verdict("Counter.is_new") == "no-error-found"
    assert any("constructor" in reason for reason in checked.reasons("Counter.is_new"))


def test_a_called_function_must_be_called_as_its_contract_asks(project):
    project.write(
        m="""
        def root(x: int) -> int:
            '''
            :assume: x >= 0
            '''
            return x

        def caller(y: int) -> int:
            return root(y - 3)
    """
    )
    checked = project.check("m.py")
    [found] = checked.report["findings"]
    assert found["name"] == "broken-precondition"
    assert found["function"] == "m:caller"


def test_a_bound_on_nested_objects_is_no_proof(project):
    project.write(
        m="""
        from typing import Optional

        class Node:
            def __init__(self, rest: "Optional[Node]") -> None:
                self.rest = rest

        def is_short(node: Optional[Node]) -> bool:
            '''
            :ensure: returnv
            '''
            count = 0
            while node is not None and count < 100:
                count += 1
                node = node.rest
            return count < 100
    """
    )
    checked = project.check("m.py:is_short", "--timeout", "5")
    assert checked.verdict("is_short") == "no-error-found"
    assert any("deep" in reason for reason in checked.reasons("is_short"))


def test_a_search_that_ends_with_its_time_keeps_what_it_knows(project):
    project.write(
        a="""
        import zlib

        def endless(numbers: list[int]) -> int:
            total = 0
            for number in numbers:
                total += zlib.crc32(bytes([number % 256])) if number > 3 else 1
            return total
        """
    )
    checked = project.check(".", "--timeout", "1.5", "--patience", "30")
    assert checked.verdict("endless") == "no-error-found"
