"""A call against the assumptions of the called function is an error of the caller."""

import json
import subprocess
import sys

import pytest

from pef.contracts import ClauseKind
from pef.contracts.callees import CheckedCallees
from pef.contracts.errors import PreconditionBroken

SOURCE = '''
def half(n: int) -> int:
    """
    :assume: n % 2 == 0
    """
    return n // 2

def asserted(n: int) -> int:
    assert n > 0
    return n

alias = half

class Account:
    def __init__(self, total: int) -> None:
        self.total = total

    def take(self, n: int) -> None:
        """
        pre: 0 <= n <= self.total
        """
        self.total -= n

    @staticmethod
    def fee(n: int) -> int:
        """
        :assume: n > 0
        """
        return n

    @classmethod
    def empty(cls, n: int = 0) -> "Account":
        """
        :assume: n == 0
        """
        return cls(n)

def malformed(n: int) -> int:
    """
    :assume: n >
    """
    return n
'''


@pytest.fixture
def namespace(load):
    namespace = load(SOURCE, "half").__globals__
    callees = CheckedCallees([namespace])
    yield namespace
    callees.restore()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("half(3)", "'half' is called against ':assume: n % 2 == 0'"),
        ("alias(n=3)", "'half' is called against ':assume: n % 2 == 0'"),
        ("Account(3).take(4)", "'Account.take' is called against 'pre: 0 <= n <= self.total'"),
        ("Account.fee(0)", "'Account.fee' is called against ':assume: n > 0'"),
        ("Account.empty(1)", "'Account.empty' is called against ':assume: n == 0'"),
    ],
)
def test_a_wrong_call_ends_there(namespace, call, text):
    with pytest.raises(PreconditionBroken) as caught:
        eval(call, namespace)
    assert str(caught.value) == text
    assert caught.value.clause.kind is ClauseKind.PRECONDITION


@pytest.mark.parametrize(
    "call",
    ["half(4) == 2", "Account(3).take(3) is None", "Account.fee(1)", "Account.empty().total == 0",
     "malformed(1)", "half.__name__ == 'half'"],
)  # fmt: skip
def test_a_right_call_is_what_it_was(namespace, call):
    assert eval(call, namespace)


def test_a_call_that_cannot_be_judged_goes_its_own_way(namespace):
    with pytest.raises(TypeError, match="missing 1 required"):
        eval("half()", namespace)
    with pytest.raises(TypeError, match="unsupported operand"):
        eval("half(None)", namespace)


def test_no_handler_of_the_program_sees_it(namespace):
    with pytest.raises(PreconditionBroken):
        exec("try:\n    half(1)\nexcept Exception:\n    pass\n", namespace)


def test_leading_asserts_raise_by_themselves(namespace):
    with pytest.raises(AssertionError):
        eval("asserted(0)", namespace)


def test_everything_is_put_back(load):
    namespace = load(SOURCE, "half").__globals__
    before = {name: value for name, value in namespace.items() if name != "__builtins__"}
    methods = dict(vars(namespace["Account"]))
    callees = CheckedCallees([namespace])
    assert callees and namespace["half"] is not before["half"]
    callees.restore()
    assert {name: namespace[name] for name in before} == before
    assert dict(vars(namespace["Account"])) == methods


def test_contracts_of_packages_are_checked_at_calls_too(load):
    pytest.importorskip("icontract")
    pytest.importorskip("deal")
    namespace = load(
        "import deal, icontract\n"
        "@icontract.require(lambda x: x > 0)\ndef one(x: int) -> int:\n    return x\n"
        "@deal.pre(lambda x: x > 0)\ndef two(x: int) -> int:\n    return x\n",
        "one",
    ).__wrapped__.__globals__
    callees = CheckedCallees([namespace])
    try:
        for name in ("one", "two"):
            assert namespace[name](1) == 1
            with pytest.raises(PreconditionBroken):
                namespace[name](0)
    finally:
        callees.restore()


CALLERS = '''
from callee import half, Account

def careless(n: int) -> int:
    return half(n)

def careful(n: int) -> int:
    return half(n) if n % 2 == 0 else 0

def overdraw(account: Account, n: int) -> None:
    if n >= 0:
        account.take(n)

def countdown(n: int) -> int:
    """
    :assume: n > 0
    """
    return 0 if n > 3 else countdown(n - 1)
'''


def test_check_reports_the_caller(tmp_path):
    (tmp_path / "callee.py").write_text(SOURCE.replace("n >\n", "n > 0\n"))
    (tmp_path / "caller.py").write_text(CALLERS)
    command = [sys.executable, "-m", "pef", "check", "--output-format", "json", "caller.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    report = json.loads(done.stdout)
    found = {
        (each["function"], each["code"], each["line"], each["contract"]["text"])
        for each in report["findings"]
    }
    assert found == {
        ("caller:careless", "PEF023", 5, "n % 2 == 0"),
        ("caller:overdraw", "PEF023", 12, "0 <= n <= self.total"),
        ("caller:countdown", "PEF023", 18, "n > 0"),
    }
    verdicts = {each["name"]: each["verdict"] for each in report["functions"]}
    assert verdicts["caller:careful"] == "proved"
    assert done.returncode == 1
    shown = next(each for each in report["findings"] if each["function"] == "caller:careless")
    assert shown["message"] == "'half' is called against ':assume: n % 2 == 0'"
    assert shown["exception"] is None, "nothing is raised where nobody checks"
    assert [frame["line"] for frame in shown["trace"]] == [5]
