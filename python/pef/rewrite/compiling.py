"""Source text in, rewritten code objects out.

One file is parsed once; the index of its branches is taken from the tree before the rules change
it. Whoever executes the code is told about every code object in it (`OnCode`), because only then
can the engine recognise the frame that asks for a truth.

All of this happens in the middle of somebody's import statement, so nothing in the room may import
lazily, and neither may what it calls (`ast.walk` does): the module in the making could be the one
that is wanted.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import CodeType

from pef.records import record
from pef.rewrite.depth import deep_recursion
from pef.rewrite.probes import Probes
from pef.rewrite.sites import SiteIndex
from pef.rewrite.transform import transform_module

OnCode = Callable[[CodeType, SiteIndex], None]
"""Receives every rewritten code object, with the branches of the file it comes from."""


@record(frozen=True)
class CompiledFile:
    """The code of one file. `plain_because` is the reason why it could not be rewritten."""

    code: CodeType
    sites: SiteIndex
    plain_because: str | None = None

    def announce(self, on_code: OnCode) -> None:
        """Tells `on_code` about every code object of the file, if they are rewritten ones."""
        if self.plain_because is None:
            for code in nested_codes(self.code):
                on_code(code, self.sites)


def compile_file(
    source: bytes | str, filename: str, probes: Probes | None = None, *, merging: bool = False
) -> CompiledFile:
    """Rewrites and compiles a file; a syntax error of the file is raised as CPython would.

    `merging`, branches that only choose a number are no branches.
    """
    with deep_recursion():
        try:
            tree = ast.parse(source, filename)
            sites = SiteIndex(tree)
            rewritten = transform_module(tree, merging=merging)
            if probes is not None:
                rewritten = probes.insert(rewritten, filename)
            return CompiledFile(_compile(rewritten, filename), sites)
        except RecursionError:
            # Only our walk is this deep: the compiler may still manage, and then so does the user.
            code = compile(source, filename, "exec", dont_inherit=True)
            empty = SiteIndex(ast.Module(body=[], type_ignores=[]))
            return CompiledFile(code, empty, "its syntax tree is nested too deeply to rewrite")


def nested_codes(code: CodeType) -> Iterator[CodeType]:
    """`code` and every code object inside it, outermost first."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested_codes(constant)


def _compile(tree: ast.Module, filename: str) -> CodeType:
    return compile(tree, filename, "exec", dont_inherit=True)
