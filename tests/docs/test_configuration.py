"""`docs/configuration.md` lists the settings there are, and its examples are valid.

Run as a script, this file writes the list into the page.
"""

import re
from pathlib import Path

import pytest

from pef.checking.suppress import Suppressions
from pef.cli.settings import gather, gather_check
from pef.cli.table import SETTINGS

PAGE = Path(__file__).parents[2] / "docs/configuration.md"
TEXT = PAGE.read_text(encoding="utf-8")


def table():
    """Return the table of settings as the page should have it."""
    lines = ["| setting | value | command | meaning |", "| --- | --- | --- | --- |"]
    for setting in SETTINGS:
        commands = ", ".join(f"`{each}`" for each in setting.commands)
        per_file = "; per file" if setting.of_function else ""
        name = f"`{setting.name}`" + (f" (`{setting.short}`)" if setting.short else "")
        value = f"`{setting.metavar}`" if setting.metavar else "switch"
        lines.append(f"| {name} | {value} | {commands} | {setting.help}{per_file} |")
    return "\n".join(lines)


def with_table(text):
    marked = r"(<!-- settings: begin -->\n).*?(<!-- settings: end -->)"
    return re.sub(marked, lambda found: f"{found[1]}{table()}\n{found[2]}", text, flags=re.DOTALL)


def test_the_table_is_that_of_the_program():
    assert with_table(TEXT) == TEXT, "python tests/docs/test_configuration.py"
    assert table() in TEXT


@pytest.mark.parametrize("block", re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL))
def test_every_configuration_is_understood(block, tmp_path):
    (tmp_path / "pyproject.toml").write_text(block)
    assert gather_check({}, str(tmp_path), {}).config == str(tmp_path / "pyproject.toml")
    gather({}, str(tmp_path), {})


def test_the_comments_are_understood():
    [block] = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    remarks = Suppressions.of(block).unused([(1, 99)], True)
    assert {each.message for each in remarks} == {"this comment suppresses nothing"}
    assert len(remarks) == block.count("# pef:")


if __name__ == "__main__":
    PAGE.write_text(with_table(TEXT), encoding="utf-8")
