"""What has no contract beside what has one is explored along with it, and left sooner by itself."""

import ast
import textwrap

import pytest

from pef.checking.subjects import subjects

ENDLESS = """
    def product(numbers: list[int]) -> int:
        {body}
        result = 1
        for number in numbers:
            result *= number if number > 3 else 1
        return result
"""
CONTRACTED = """
    def double(n: int) -> int:
        '''
        post: _ == n + n
        '''
        return 2 * n
"""


def reasons(project, text, *words):
    project.write(m=text)
    return project.check(*(words or ("m.py",)), "--timeout", "2").reasons("product")


def test_a_helper_is_left_sooner(project):
    assert reasons(project, ENDLESS.format(body="pass") + CONTRACTED) == ["nothing new for 0.1 s"]


def test_without_contracts_nothing_is_a_helper(project):
    assert reasons(project, ENDLESS.format(body="pass")) == ["nothing new for 1 s"]


def test_what_asserts_is_no_helper(project):
    text = ENDLESS.format(body="assert True") + CONTRACTED
    assert reasons(project, text) == ["nothing new for 1 s"]


def test_what_the_user_names_is_no_helper(project):
    text = ENDLESS.format(body="pass") + CONTRACTED
    assert reasons(project, text, "m.py:product") == ["nothing new for 1 s"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f():\n    ''' post: True '''", (True, True)),
        ("def f():\n    '''Does.\n\n    :ensure: returnv\n    '''", (True, True)),
        ("@icontract.ensure(lambda result: result)\ndef f(): pass", (True, True)),
        ("@deal.pre(lambda: True)\ndef f(): pass", (True, True)),
        ("def f():\n    '''Posts.\n\n    The post: is sent.\n    '''", (False, False)),
        ("def f():\n    ''':raises KeyError: never'''", (False, False)),
        ("def f(x):\n    y = x\n    assert y", (False, True)),
        ("assert True\ndef f(x):\n    return x\nassert f", (False, False)),
        ("class C:\n    '''\n    inv: self.x\n    '''\n    def f(self): pass", (True, True)),
        ("class C:\n    def f(self):\n        '''post: _'''", (True, True)),
    ],
)
def test_contracts_and_claims_are_seen_without_importing(text, expected):
    source = textwrap.dedent(text)
    (subject,) = subjects(ast.parse(source), source)
    assert (subject.is_contracted, subject.claims) == expected


def test_contracts_come_first(project):
    project.write(m=ENDLESS.format(body="pass") + CONTRACTED.replace("n + n", "n"))
    checked = project.check("m.py", "--fail-fast", "--jobs", "1", "--timeout", "60")
    assert checked.verdict("double") == "error"
    assert checked.verdict("product") == "not-analysed"
