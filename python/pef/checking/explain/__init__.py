"""A page about each code: what it means, an example PEF really reports, what to do.

The pages are Markdown files beside this one, named by code. The title, the meaning and how to
suppress a finding are the same for all and made here from the table (`pef.checking.codes`).
`docs/codes.md` is all of them: `python -m pef.checking.explain > docs/codes.md`.
"""

from __future__ import annotations

import os

from pef.checking.codes import CODES, Code

_FOLDER = os.path.dirname(__file__)

_SUPPRESS = """\
## Suppress

End the reported line with `# pef: ignore[{code}]`; `{name}` works too. A comment that hides
nothing is reported as `unused-suppression`.
"""

_HEAD = """\
# Codes of findings

What `pef check` reports, code by code. This page is made from the pages of `pef explain`
(`python -m pef.checking.explain > docs/codes.md`).
"""


def page(code: Code) -> str:
    """Return the page about a code, in Markdown."""
    meaning = f"{code.meaning[0].upper()}{code.meaning[1:]}."
    sections = [f"# {code.code} {code.name}\n", f"{meaning}\n", text(code)]
    if code.name != "unused-suppression":
        sections.append(_SUPPRESS.format(code=code.code, name=code.name))
    return "\n".join(sections)


def text(code: Code) -> str:
    """Return what is said about this code only."""
    with open(os.path.join(_FOLDER, f"{code.code}.md"), encoding="utf-8") as file:
        return file.read()


def listing() -> str:
    """Return a line for each code."""
    width = max(len(code.name) for code in CODES)
    return "".join(f"{code.code}  {code.name:{width}}  {code.meaning}\n" for code in CODES)


def rules() -> list[tuple[str, str, str, str]]:
    """Return code, name, meaning and page of each code, for reports that carry them."""
    return [(code.code, code.name, code.meaning, page(code)) for code in CODES]


def document() -> str:
    """Return all pages as one document."""
    table = ["| code | name | |", "| --- | --- | --- |"]
    table += [
        f"| [{each.code}](#{_anchor(each)}) | {each.name} | {each.meaning} |" for each in CODES
    ]
    pages = [_one_deeper(page(code)) for code in CODES]
    return "\n".join([_HEAD, *table, "", *pages])


def _anchor(code: Code) -> str:
    return f"{code.code.lower()}-{code.name}"


def _one_deeper(text: str) -> str:
    """Move headings down one level; a comment in code is no heading."""
    lines, in_code = [], False
    for line in text.splitlines(keepends=True):
        in_code ^= line.startswith("```")
        lines.append(f"#{line}" if line.startswith("#") and not in_code else line)
    return "".join(lines)
