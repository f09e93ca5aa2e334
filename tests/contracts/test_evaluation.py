"""What a contract answers about one execution."""

import pytest

from pef.contracts import ContractEvaluationError, UndeclaredException, read


def run(contract, function, *arguments):
    """The clause a real call breaks, however it ends."""
    bound = dict(zip([each.name for each in contract.parameters], arguments, strict=True))
    entry = contract.enter(bound)
    try:
        result = function(*arguments)
    except Exception as error:
        return contract.violated_raises(entry, error)
    return contract.violated_ensure(entry, result)


def test_the_first_assumption_that_fails_is_named(contract):
    read_contract = contract(":assume: x > 0, y > 0\n:assume: x > y")
    assert read_contract.violated_assume({"x": 2, "y": 1}) is None
    assert read_contract.violated_assume({"x": 0, "y": 0}).text == "x > 0"
    assert read_contract.violated_assume({"x": 1, "y": 0}).text == "y > 0"
    assert read_contract.violated_assume({"x": 1, "y": 1}).text == "x > y"


def test_the_truth_of_a_clause_counts_and_not_its_value(contract):
    read_contract = contract(":assume: [x] * y")
    assert read_contract.violated_assume({"x": 1, "y": 1}) is None
    assert read_contract.violated_assume({"x": 1, "y": 0}) is not None


def test_truth_is_asked_once_and_inside_the_clause(load):
    import sys

    asked = []

    class Truth:
        def __bool__(self):
            frame = sys._getframe(1)
            asked.append((frame.f_code.co_name, frame.f_lineno))
            return False

    read_contract = read(load('def f(x: object):\n    """\n    :assume: x\n    """\n'))
    assert read_contract.violated_assume({"x": Truth()}).text == "x"
    assert asked == [("<assume>", 3)]


def test_nested_scopes_see_parameters_and_module(contract):
    read_contract = contract(
        ":assume: all(any(i * x >= LIMIT for i in range(j)) for j in [y]),\n"
        "    (lambda k: k + x)(y) > LIMIT",
        prelude="LIMIT = 4",
    )
    assert read_contract.violated_assume({"x": 2, "y": 3}) is None
    assert read_contract.violated_assume({"x": 1, "y": 3}) is not None


def test_globals_are_looked_up_when_the_clause_runs(load):
    function = load('LIMIT = 1\ndef f(x: int):\n    """:assume: x > LIMIT"""\n')
    read_contract = read(function)
    function.__globals__["LIMIT"] = 5
    assert read_contract.violated_assume({"x": 3}) is not None


def test_captured_variables_and_private_names_mean_what_they_mean_in_the_body(load):
    inner = load(
        "def outer(limit):\n    def f(x: int):\n        ':assume: x > limit'\n"
        "        return limit\n    return f\nf = outer(4)\n"
    )
    assert read(inner).violated_assume({"x": 4}) is not None
    method = load(
        "class _Box:\n    def __init__(self): self.__n = 1\n"
        "    def get(self):\n        ':assume: self.__n > 1'\n",
        "_Box.get",
    )
    box = method.__globals__["_Box"]()
    assert read(method).violated_assume({"self": box}).text == "self.__n > 1"


def test_private_names_are_those_of_the_class_around_a_nested_function(load):
    cls = load(
        "class C:\n    __limit = 3\n    def make(self):\n        def f(x: int):\n"
        "            ':assume: x > C.__limit'\n        return f\n",
        "C",
    )
    assert read(cls().make()).violated_assume({"x": 3}) is not None
    assert read(cls().make()).violated_assume({"x": 4}) is None


def test_a_bound_method_contract_sees_its_receiver(load):
    cls = load(
        "class C:\n    n = 3\n    @classmethod\n    def m(cls, x: int):\n"
        "        ':assume: x > cls.n'\n",
        "C",
    )
    read_contract = read(cls.m)
    assert [each.name for each in read_contract.parameters] == ["x"]
    assert read_contract.violated_assume({"x": 3}) is not None
    assert read_contract.violated_assume({"x": 4}) is None


def test_a_decorated_bound_method_still_sees_its_receiver(load):
    cls = load(
        "import functools\ndef wrap(g):\n    @functools.wraps(g)\n"
        "    def inner(*args): return g(*args)\n    return inner\n"
        "class C:\n    n = 3\n    @classmethod\n    @wrap\n    def m(cls, x: int):\n"
        "        ':assume: x > cls.n'\n",
        "C",
    )
    assert [each.name for each in read(cls.m).parameters] == ["x"]
    assert read(cls.m).violated_assume({"x": 3}) is not None


def test_ensure_sees_the_result(contract):
    read_contract = contract(":ensure: returnv == x + y, returnv > 0")
    assert run(read_contract, lambda x, y: x + y, 1, 2) is None
    assert run(read_contract, lambda x, y: x + y, -1, -2).text == "returnv > 0"
    assert run(read_contract, lambda x, y: x - y, 1, 2).text == "returnv == x + y"


LISTS = ":type: items: list[int]\n"


def test_parameters_in_ensure_mean_their_values_at_entry(contract):
    read_contract = contract(LISTS + ":ensure: len(returnv) == len(items) + 1", "items")
    assert run(read_contract, lambda items: items.append(1) or items, [5]) is None
    assert run(read_contract, lambda items: items, [5]) is not None


def test_final_is_the_value_at_exit(contract):
    read_contract = contract(
        LISTS + ":ensure: final(items) == items + [1], final(len(items)) == 2", "items"
    )
    assert run(read_contract, lambda items: items.append(1), [5]) is None
    assert run(read_contract, lambda items: None, [5]).text == "final(items) == items + [1]"


def test_old_is_evaluated_at_entry(contract):
    read_contract = contract(LISTS + ":ensure: old(sum(items)) == 6, old(items[0]) == 1", "items")
    assert run(read_contract, lambda items: items.clear(), [1, 2, 3]) is None
    assert run(read_contract, lambda items: items.clear(), [2, 2, 2]).text == "old(items[0]) == 1"


def test_old_keeps_the_state_of_what_it_returned(load):
    function = load(
        "class Stack:\n    def __init__(self): self.items = []\n"
        "    def push(self, x: int):\n"
        "        ':ensure: final(self.items) == old(self.items) + [x]'\n"
        "        self.items.append(x)\n",
        "Stack.push",
    )
    stack = function.__globals__["Stack"]()
    assert run(read(function), function, stack, 3) is None


def test_what_is_not_mentioned_is_never_copied(contract):
    class Uncopyable:
        def __deepcopy__(self, memo):
            raise RuntimeError

    read_contract = contract(":ensure: final(x) is not None, x is not returnv", "x: object")
    assert run(read_contract, lambda x: 1, Uncopyable()) is None


def test_an_entry_value_that_cannot_be_copied_is_an_error_of_the_clause(contract):
    read_contract = contract(":ensure: final(x), next(x)", "x: object")
    with pytest.raises(ContractEvaluationError) as caught:
        read_contract.enter({"x": (i for i in [1])})
    assert caught.value.clause.text == "next(x)"


def test_identity_is_that_of_the_object_passed_in(contract):
    read_contract = contract(LISTS + ":ensure: returnv is items", "items")
    assert run(read_contract, lambda items: items.append(1) or items, []) is None
    assert run(read_contract, lambda items: list(items), []) is not None


def test_the_first_matching_entry_decides_about_an_exception(contract):
    read_contract = contract(":raises: KeyError: x > 0, LookupError: y > 0, any: x == y")

    def violated(error, x, y):
        return read_contract.violated_raises(read_contract.enter({"x": x, "y": y}), error)

    assert violated(KeyError(), 1, 0) is None
    assert violated(KeyError(), 0, 1).text == "x > 0"
    assert violated(IndexError(), 0, 1) is None
    assert violated(IndexError(), 1, 0).text == "y > 0"
    assert violated(SystemExit(), 1, 1) is None
    assert violated(ValueError(), 1, 0).text == "x == y"


def test_an_exception_without_entry_is_undeclared(contract):
    read_contract = contract(":raises: KeyError: x > 0")
    entry = read_contract.enter({"x": 1, "y": 1})
    error = ValueError()
    assert read_contract.declares_exceptions
    undeclared = read_contract.violated_raises(entry, error)
    assert isinstance(undeclared, UndeclaredException)
    assert undeclared.exception is error
    assert (undeclared.text, undeclared.line) == ("ValueError is not declared", 5)


def test_a_contract_that_says_nothing_of_exceptions_forbids_none(contract):
    read_contract = contract(":ensure: returnv")
    assert not read_contract.declares_exceptions
    assert read_contract.violated_raises(read_contract.enter({"x": 1, "y": 1}), KeyError()) is None


def test_raises_conditions_are_about_entry_values(contract):
    read_contract = contract(LISTS + ":raises: IndexError: not items", "items")

    def clear_and_fail(items):
        items.clear()
        raise IndexError

    assert run(read_contract, clear_and_fail, [1]).text == "not items"
    assert run(read_contract, clear_and_fail, []) is None


@pytest.mark.parametrize(
    "text", [":ensure: old(1 // x)", ":raises: any: 1 // x"], ids=["old", "raises"]
)
def test_a_clause_about_the_entry_that_raises_is_an_error_of_the_contract(contract, text):
    read_contract = contract(text)
    with pytest.raises(ContractEvaluationError) as caught:
        entry = read_contract.enter({"x": 0, "y": 0})
        read_contract.violated_raises(entry, KeyError())
    assert isinstance(caught.value.cause, ZeroDivisionError)
    assert caught.value.clause.line == 5
    assert "raised ZeroDivisionError: " in str(caught.value)


def test_an_assumption_that_raises_is_not_met(contract):
    read_contract = contract(":assume: y >= 0, 1 // x")
    assert read_contract.violated_assume({"x": 1, "y": 0}) is None
    assert not read_contract.unanswered
    assert read_contract.violated_assume({"x": 0, "y": 0}).text == "1 // x"
    (problem,) = read_contract.unanswered
    assert "raised ZeroDivisionError: " in str(problem)


def test_a_promise_that_raises_is_not_kept(contract):
    read_contract = contract(":ensure: 1 // returnv")
    assert run(read_contract, lambda x, y: 1, 0, 0) is None
    broken = run(read_contract, lambda x, y: 0, 0, 0)
    assert broken.text == "1 // returnv"
    assert isinstance(broken.raised, ZeroDivisionError)


@pytest.mark.parametrize("kind", ["assume", "ensure"])
def test_a_name_that_vanished_is_an_error_of_the_contract(contract, kind):
    read_contract = contract(f":{kind}: gone()", prelude="def gone(): return never_defined")
    arguments = {"x": 0, "y": 0}
    with pytest.raises(ContractEvaluationError):
        read_contract.violated_assume(arguments)
        read_contract.violated_ensure(read_contract.enter(arguments), None)


def test_a_clause_stopped_from_outside_stops(contract):
    read_contract = contract(":assume: stop()", prelude="def stop(): raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        read_contract.violated_assume({"x": 0, "y": 0})


def test_words_of_the_contract_language_can_be_names_of_the_program(contract):
    read_contract = contract(":assume: old > x\n:ensure: returnv > old", "old: int, x: int")
    assert read_contract.violated_assume({"old": 1, "x": 0}) is None
    assert run(read_contract, lambda old, x: old + 1, 1, 0) is None


def test_a_module_function_called_old_is_itself_outside_ensure(contract):
    read_contract = contract(":assume: old(x) == 5", prelude="def old(x): return 5")
    assert read_contract.violated_assume({"x": 1, "y": 1}) is None


def test_star_parameters_may_be_left_out_of_a_call(contract):
    read_contract = contract(
        ":assume: len(rest) == len(options) == x\n:ensure: rest == ()", "x: int, *rest, **options"
    )
    assert read_contract.violated_assume({"x": 0}) is None
    assert read_contract.violated_assume({"x": 1}) is not None
    assert read_contract.violated_ensure(read_contract.enter({"x": 0}), None) is None
    assert read_contract.violated_ensure(read_contract.enter({"x": 0, "rest": (1,)}), None)


def test_a_transform_sees_each_expression_as_a_whole(contract, load):
    import ast

    seen = []

    def negate_constants(tree):
        seen.append(ast.unparse(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and type(node.value) is int:
                node.value = -node.value
        return tree

    function = load('def f(x: int):\n    """\n    :assume: x > 5\n    :ensure: old(x + 1)"""\n')
    read_contract = read(function, negate_constants)
    assert read_contract.violated_assume({"x": 0}) is None
    assert seen[0] == "lambda x: True if x > 5 else False"
    assert "lambda x: x + 1" in seen
    assert read(function).violated_assume({"x": 0}) is not None
