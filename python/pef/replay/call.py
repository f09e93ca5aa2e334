"""One replayed call, inside the process that exists for it alone.

A `Call` is made in the worker, which runs no user code, and performed in a child forked for it. All
that can go wrong with the user's program goes wrong there.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, ModuleType, TracebackType
from typing import Any

from pef.isolation.ambient import Interpreter
from pef.isolation.hook import reaches
from pef.isolation.nowhere import leads_nowhere
from pef.records import NamedTuple
from pef.replay.manner import Settled, getter, reveal
from pef.replay.wire import Message, Record

_OURS = os.path.dirname(os.path.abspath(__file__)) + os.sep
"""Frames of this room are none of the program's."""
_BETWEEN = 10
"""At most so many calls are between `outcome` and the program, those that C code makes included."""


class Call:
    """A request, its sources compiled: that is dear in a fresh fork and harmless before it."""

    def __init__(self, request: Message) -> None:
        unlimited_digits(True)
        self.args = [_prepared(source) for source in request["args"]]
        self.kwargs = {name: _prepared(source) for name, source in request["kwargs"].items()}
        self.variables = [
            compile(f"{name} = {source}", "<variable>", "exec")
            for name, source in request.get("variables", {}).items()
        ]
        self.judged: str | None = request.get("judged")
        self.qualname: str | None = request.get("qualname")
        unlimited_digits(False)

    def perform(
        self,
        module: ModuleType,
        qualname: str,
        roots: list[str],
        around: Interpreter | None = None,
    ) -> Record:
        """Evaluate the arguments in the module's namespace, call, and describe the outcome.

        `around` is what the call finds around it, if that is known.
        """
        namespace = vars(module)
        try:
            function, is_property = lookup(module, self.qualname or qualname)
        except BaseException as problem:
            return {"status": "unusable", "detail": describe(problem)}
        try:
            for code in self.variables:
                exec(code, getattr(_bare(function), "__globals__", namespace))
            args = [_evaluated(source, namespace) for source in self.args]
            kwargs = {name: _evaluated(code, namespace) for name, code in self.kwargs.items()}
        except BaseException as problem:
            return {"status": "invalid", "detail": describe(problem)}
        settled = Settled(_bare(function))
        if self.judged is not None:
            if self.judged == "precondition":
                _check_callees(module, function, roots)
            try:
                record = judged_outcome(function, settled, args, kwargs, roots, around)
            except Exception as problem:  # the contract itself cannot be evaluated
                return {"status": "invalid", "detail": describe(problem)}
        else:
            record = outcome(settled, args, kwargs, roots, around)
        return {**record, "manner": "property" if is_property else settled.manner}


def outcome(
    function: Callable[..., object],
    args: list[Any],
    kwargs: dict[str, Any],
    roots: list[str],
    around: Interpreter | None = None,
) -> Record:
    """Call the function and describe what it did."""
    around = around or Interpreter()
    before = reaches()
    try:
        with _whole_stack():
            result = function(*args, **kwargs)
    except BaseException as problem:
        contained = _contained(before)
        around.restore()
        silence()
        from pef.replay.evidence import evidence

        facts = {**exception_facts(problem, roots), **contained}
        return {"status": "raised", **facts, "evidence": json.dumps(evidence(problem, roots))}
    contained = _contained(before)
    around.restore()
    silence()
    unlimited_digits(True)
    text, kind = source_of(result), type_name(type(result))
    return {"status": "returned", "result": text, "type": kind, **contained}


@contextmanager
def _whole_stack() -> Iterator[None]:
    """Leave the program as much room as it has where nobody calls but its own `__main__`."""
    limit, frame = sys.getrecursionlimit(), sys._getframe()
    room = limit + _BETWEEN
    while (frame := frame.f_back) is not None:  # type: ignore[assignment]
        room += 1
    sys.setrecursionlimit(room)
    try:
        yield
    finally:
        if sys.getrecursionlimit() == room:  # it is as we left it
            sys.setrecursionlimit(limit)


def _contained(before: int | None) -> Record:
    """Whether the call since then has touched nothing outside, if that is known."""
    return {"contained": "yes"} if before is not None and before == reaches() else {}


def judged_outcome(
    function: Callable[..., object],
    settled: Settled,
    args: list[Any],
    kwargs: dict[str, Any],
    roots: list[str],
    around: Interpreter | None = None,
) -> Record:
    """As `outcome`, and say which clause of the function's contract the call breaks."""
    from pef.contracts.form import Clause
    from pef.contracts.reader import read
    from pef.contracts.signature import bound

    contract = read(function, guess_types=True)  # the types are known by now
    arguments = bound(function, args, kwargs)
    if contract.violated_assume(arguments) is not None:
        return {"status": "invalid", "detail": "the arguments break the assumptions"}
    entry = contract.enter(arguments)
    ended: list[Any] = []
    declared: list[bool] = []

    def watched(*args: Any, **kwargs: Any) -> object:
        try:
            result = settled(*args, **kwargs)
        except BaseException as problem:
            ended.append(contract.violated_raises(entry, problem))
            declared.append(contract.allows(problem))
            raise
        ended.append(contract.violated_ensure(entry, result))
        return result

    record = outcome(watched, args, kwargs, roots, around)
    broken = ended[0] if ended else None
    if broken is None:
        return {**record, "declared": "yes"} if any(declared) else record
    clause = {"kind": broken.kind.value, "text": broken.text}
    clause.update(file=broken.file, line=broken.line)
    if isinstance(broken, Clause) and broken.raised is not None:
        clause["raised"] = describe(broken.raised)
    return {**record, "violated": broken.text, "clause": json.dumps(clause)}


def _check_callees(module: ModuleType, function: Any, roots: list[str]) -> None:
    """Let the functions of the project look at their arguments, as they did when explored."""
    from pef.contracts.callees import CheckedCallees

    files = ((each, getattr(each, "__file__", None)) for each in list(sys.modules.values()))
    project = [each for each, file in files if file and is_project_file(file, roots)]
    home = getattr(_bare(function), "__globals__", {})
    CheckedCallees([vars(module), home, *(vars(each) for each in project)])


def _bare(function: Any) -> Any:
    """The function as it is explored; the room is only entered for what is wrapped at all."""
    if not hasattr(function, "__wrapped__"):
        return function
    from pef.contracts.layers import bare

    return bare(function)


_NUMBERS = "0123456789-[], "
_MOST_DIGITS = 4000
"""Of a number that is read under the normal limit."""


class _Read(NamedTuple):
    """An argument that is known already: a call is performed once, so nobody else has it."""

    value: Any


def _prepared(source: str) -> CodeType | _Read:
    """An argument, compiled; lists of numbers, which many are, are read in a fifth of the time."""
    if not source.strip(_NUMBERS) and len(source) < _MOST_DIGITS:
        try:
            return _Read(json.loads(source))
        except ValueError:  # a difference, say
            pass
    return compile(source, "<argument>", "eval")


def _evaluated(source: CodeType | _Read, namespace: dict[str, Any]) -> Any:
    return source.value if isinstance(source, _Read) else eval(source, namespace)


def lookup(module: ModuleType, qualname: str) -> tuple[Any, bool]:
    """Find a function or method by its qualified name; tell whether it is that of a property."""
    found: Any = module
    for part in qualname.split("."):
        found = getattr(found, part)
    reads = getter(found)
    if reads is not None:
        return reads, True
    reveal(found, qualname)
    return found, False


def unlimited_digits(unlimited: bool) -> None:
    """Let integers of any size be written and read; the call itself runs under the normal limit."""
    set_limit = getattr(sys, "set_int_max_str_digits", None)
    if set_limit is not None:
        set_limit(0 if unlimited else sys.int_info.default_max_str_digits)


def silence() -> None:
    """End the capture: what `__repr__` and `__str__` print later is not output of the call."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # the program may have closed or replaced it
            continue
    try:
        os.dup2(_nowhere[0], 1)
        os.dup2(_nowhere[0], 2)
    except (IndexError, OSError):  # nobody has prepared it, or the program closed it
        prepare_silence()
        os.dup2(_nowhere[0], 1)
        os.dup2(_nowhere[0], 2)


_nowhere: list[int] = []


def prepare_silence() -> None:
    """Open what `silence` needs: in a process that is confined, each opening is looked at."""
    if not (_nowhere and leads_nowhere(_nowhere[0])):
        _nowhere[:] = [os.open(os.devnull, os.O_WRONLY)]


def source_of(value: object) -> str:
    """Return `repr(value)`, or a stand-in in angle brackets if there is none.

    >>> source_of(float("-inf"))
    "float('-inf')"
    """
    try:
        text = repr(value)
        special = type(value) is float and text in ("nan", "inf", "-inf")
        return f"float('{text}')" if special else text
    except BaseException as problem:
        return f"<{type_name(type(value))} whose repr() raised {type_name(type(problem))}>"


def without_addresses(text: str) -> str:
    """The text of a `repr` as another process would have it.

    >>> without_addresses("[<object object at 0x7f3c>]")
    '[<object object>]'
    """
    if " at 0x" not in text:
        return text
    import re

    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)


def same_result(here: str, there: str) -> bool:
    """Whether two results, written down in two processes, are one: sets have no order.

    >>> same_result("[{1, 2}]", "[{2, 1}]"), same_result("[1, 2]", "[2, 1]")
    (True, False)
    """
    here, there = without_addresses(here), without_addresses(there)
    if here == there:
        return True
    return len(here) == len(there) and "{" in here and _ordered(here) == _ordered(there)


def _ordered(text: str) -> str:
    """What is written, with the items of sets in an order of their own."""
    import ast

    class Order(ast.NodeTransformer):
        def visit_Set(self, node: ast.Set) -> ast.Set:
            self.generic_visit(node)
            return ast.Set(sorted(node.elts, key=ast.dump))

    try:
        return ast.dump(Order().visit(ast.parse(text, mode="eval")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text


def type_name(kind: type) -> str:
    """Return the qualified name of a type; builtins go without their module."""
    module = getattr(kind, "__module__", None)
    if module in (None, "builtins"):
        return kind.__qualname__
    return f"{module}.{kind.__qualname__}"


def describe(problem: BaseException) -> str:
    """Return an exception as its last traceback line would show it."""
    message = message_of(problem)
    name = type_name(type(problem))
    return f"{name}: {message}" if message else name


def message_of(problem: BaseException) -> str:
    """Return `str(problem)`, which is the user's code and may fail."""
    try:
        return str(problem)
    except BaseException as failure:
        return f"<str() raised {type_name(type(failure))}>"


def exception_facts(problem: BaseException, roots: list[str]) -> Record:
    """Return type, message and, if there is one, place of an exception."""
    facts = {"type": type_name(type(problem)), "message": message_of(problem)}
    place = place_of(problem.__traceback__, roots)
    if place is not None:
        facts["file"], facts["line"] = place[0], str(place[1])
    return facts


def place_of(traceback: TracebackType | None, roots: list[str]) -> tuple[str, int] | None:
    """Return file and line of the innermost frame under one of the roots, else the innermost."""
    innermost = in_project = None
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if not file.startswith(_OURS):
            innermost = (file, traceback.tb_lineno)
            if is_project_file(file, roots):
                in_project = innermost
        traceback = traceback.tb_next
    return in_project or innermost


def is_project_file(file: str, roots: list[str]) -> bool:
    """Tell whether a file belongs to the analysed project rather than to an installed package."""
    key = (file, *roots)
    known = _project_files.get(key)
    if known is None:
        known = _is_below(os.path.realpath(file), roots)
        if os.path.isabs(file):  # what another name means depends on the current folder
            _project_files[key] = known
    return known


_project_files: dict[tuple[str, ...], bool] = {}
"""By file and roots. A recursion fails a thousand frames deep, each of them in the same file."""


def _is_below(path: str, roots: list[str]) -> bool:
    if any(f"{os.sep}{folder}{os.sep}" in path for folder in ("site-packages", "dist-packages")):
        return False
    return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)
