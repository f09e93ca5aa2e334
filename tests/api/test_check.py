"""`pef.check(...)`, the command as a function."""

import sys

import pytest

import pef
from pef.targets import TargetError


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "checked_shop.py").write_text(
        "def share(total: int, people: int) -> int:\n"
        "    return total // people\n\n\n"
        "def double(x: int) -> int:\n"
        "    '''\n    :ensure: returnv == x + x\n    '''\n"
        "    return 2 * x\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    import checked_shop

    yield checked_shop
    del sys.modules["checked_shop"]


def test_a_function_that_can_fail_gives_a_finding(module):
    report = pef.check(module.share, timeout=3.0)
    [finding] = report.findings
    assert not report
    assert (finding.call, finding.code) == ("share(0, 0)", "PEF003")
    assert finding.exception is not None and finding.exception.type == "ZeroDivisionError"
    assert [frame.function for frame in finding.trace] == ["share"]


def test_a_module_is_checked_whole_and_an_empty_report_is_true(module):
    verdicts = {each.name: each.verdict for each in pef.check(module, timeout=3.0).functions}
    assert verdicts == {"checked_shop:share": "error", "checked_shop:double": "proved"}
    assert pef.check(module.double)


def test_exploring_before_does_not_disturb_the_check(module):
    assert len(list(pef.explore(module.share))) == 2
    assert [each.call for each in pef.check(module.share, timeout=3.0)] == ["share(0, 0)"]


def test_what_has_no_source_file_is_refused(module):
    with pytest.raises(TargetError, match="source"):
        pef.check(len)
    with pytest.raises(TypeError, match="timeoutt"):
        pef.check(module.share, timeoutt=3)
