"""The rewriting rules.

A place is rewritten only if CPython would otherwise settle it without asking the value:

==========================  ==============================================================
`f(x)`                      `__pef_sel__(f)(x)`: a C function needs a model of its argument
`a[i]`, `a[i:j]`            `__pef_getitem__(a, i)`, `__pef_getslice__(a, i, j, None)`
`a[i] = x`, `del a[i]`      `__pef_at__(a)[i] = x`, `del __pef_at__(a)[i]`
`x in c`, `a is b`, `not x` `__pef_in__(x, c)`, `__pef_is__(a, b)`, `__pef_not__(x)`
`"..." % (x, y)`            `__pef_mod__("...", (x, y))`; on 3.10 `a % b`, which may format
`f"a{x}b{y!r:>5}"`          `__pef_join__("a", __pef_field__(x, -1), "b", __pef_field__(...))`
`{k: v, **d}`               `__pef_spread__(__pef_dict__(None, k, v), d)`
`{a, *b}`                   `__pef_spread__(__pef_set__(None, a), b)`
`{k: v for ...}`            `__pef_entries__({__pef_entry__(k, v): None for ...})`
`case True:`                `case __pef_True__():`
`def __len__`: `return x`   `return __pef_plain__("__len__", x)`, and for `__bool__`, `__hash__`...
`a if c else b`             `__pef_either__(c, a, b) if __pef_numbers__(a, b) else a if c else b`,
                            and `if c: x = a`, where `merging` finds that nobody can tell;
                            `elif d: x = b` adds `d, b`
==========================  ==============================================================

Tests of `if`, `while`, `and`, ... need nothing: the value is asked for its truth, and the frame
that asks tells the place (see `sites`). Every rule keeps the order of evaluation, evaluates
each operand once, adds no frame and no variable, and puts the helper's call exactly where the
operation was. Annotations and type parameters are never touched: programs read them back.
"""

# ruff: noqa: N815  (the visitor names are those of `ast`)
from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from pef.rewrite import names, shapes
from pef.rewrite.depth import deep_recursion
from pef.rewrite.merging import Choice, choices, copied
from pef.rewrite.places import Place, landing, place_of, takeoff
from pef.rewrite.scopes import ComprehensionNode, Kind, Origin, Scope, Scopes

_FOR_C = {"__add__", "__contains__", "__format__", "__len__", "__mul__", "__rmul__"}
"""Special methods that, as methods, are for C code; by their names they have models."""

_PURE_BUILTINS = frozenset(
    {
        *("bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object"),
        *("range", "set", "slice", "str", "tuple"),
    }
)
"""Types whose instances, made from constants, need no model: those that change hold anything."""

_NUMBER_BUILTINS = frozenset({"abs", "float", "hash", "id", "int", "len", "ord", "round"})
"""Builtins that never return text."""

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.In: names.IN,
    ast.NotIn: names.NOT_IN,
    ast.Is: names.IS,
    ast.IsNot: names.IS_NOT,
}
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}

_Statement = TypeVar("_Statement", bound=ast.AST)


def transform_module(tree: ast.Module, *, merging: bool = False) -> ast.Module:
    """Rewrites a module in place and returns it; `merging`, its paths need not be all of them."""
    with deep_recursion():
        _Transformer(Scopes(tree), merging).visit(tree)
    return tree


def transform_expression(tree: ast.Expression) -> ast.Expression:
    """Rewrites a lone expression (of a contract, say) in place and returns it.

    Its names belong to a namespace that is not seen here, so none counts as known.
    """
    with deep_recursion():
        _Transformer(Scopes(tree)).visit(tree)
    return tree


_READ_BY_C = frozenset(
    {
        *("__bool__", "__len__", "__length_hint__", "__hash__", "__index__", "__int__"),
        "__float__",
    }
)
"""Special methods whose result the interpreter takes apart without asking the value."""


def _call(helper: str, arguments: Sequence[ast.expr], place: Place, start: Place) -> ast.Call:
    """A call of `helper` at `place`; its name is loaded at `start`, before any argument."""
    name = start.put(ast.Name(id=helper, ctx=ast.Load()))
    return place.put(ast.Call(func=name, args=list(arguments), keywords=[]))


class _Display:
    """The calls that build a dict or set, in the order in which CPython evaluates it."""

    def __init__(self, helper: str, place: Place) -> None:
        self._helper = helper
        self._place = place
        self._so_far: ast.expr = place.put(ast.Constant(value=None))
        self._pending: list[ast.expr] = []

    def add(self, *parts: ast.expr) -> None:
        self._pending += parts
        if len(self._pending) >= _MOST_AT_ONCE:
            self._flush()

    def spread(self, source: ast.expr) -> None:
        if self._pending or isinstance(self._so_far, ast.Constant):
            self._flush()
        self._so_far = _call(names.SPREAD, [self._so_far, source], self._place, self._place)

    def _flush(self) -> None:
        arguments = [self._so_far, *self._pending]
        self._so_far = _call(self._helper, arguments, self._place, self._place)
        self._pending = []

    def finished(self) -> ast.expr:
        if self._pending:
            self._flush()
        return self._so_far


_MOST_AT_ONCE = 28
"""CPython, too, hashes the keys of a long display group by group."""


class _Transformer(ast.NodeTransformer):
    def __init__(self, scopes: Scopes, merging: bool = False) -> None:
        self._scopes = scopes
        self._scope = scopes.module
        self._merging = merging
        self._choices: dict[ast.AST, Choice] = {}
        """The branches of the functions around that are to be merged."""
        self._answers: str | None = None
        """The special method around, if C code reads what it returns."""

    def _expr(self, node: ast.expr) -> ast.expr:
        visited = self.visit(node)
        assert isinstance(visited, ast.expr)
        return visited

    def _exprs(self, nodes: Sequence[ast.expr]) -> list[ast.expr]:
        return [self._expr(node) for node in nodes]

    @contextmanager
    def _inside(self, scope: Scope) -> Iterator[None]:
        outer, self._scope = self._scope, scope
        yield
        self._scope = outer

    def _origin(self, name: ast.Name) -> Origin:
        return self._scopes.origin(name.id, self._scope, name.lineno)

    # Calls.

    def visit_Call(self, node: ast.Call) -> ast.expr:
        known = self._calls_something_known(node)
        start, place = takeoff(node.func), landing(node)
        looked_up = landing(node.func)
        self.generic_visit(node)
        if known:
            return node
        node.func = _call(names.SELECT, [node.func], looked_up, start)
        return place.put(node)

    def _calls_something_known(self, node: ast.Call) -> bool:
        """Whether the callee is rewritten Python code, or cannot be handed a symbolic value."""
        callee = node.func
        if isinstance(callee, ast.Lambda) or shapes.cannot_be_called(callee):
            return True
        if isinstance(callee, ast.Name):
            return self._names_something_known(callee, node)
        if isinstance(callee, ast.Attribute):
            if shapes.passes_constants_only(node):
                return callee.attr not in _FOR_C and not self._belongs_to_import(callee)
            return self._is_made_list(callee.value) and shapes.is_plain_list_call(node, callee.attr)
        return False

    def _names_something_known(self, callee: ast.Name, node: ast.Call) -> bool:
        if callee.id == "super":  # the compiler has its own plans with this name
            return True
        origin = self._origin(callee)
        if origin is Origin.FUNCTION:
            return True
        pure = origin is Origin.BUILTIN and callee.id in _PURE_BUILTINS
        return pure and shapes.passes_constants_only(node)

    def _belongs_to_import(self, callee: ast.Attribute) -> bool:
        """Whether this is `module.function`: it may have a model even without arguments."""
        root = callee.value
        while isinstance(root, ast.Attribute):
            root = root.value
        return isinstance(root, ast.Name) and self._origin(root) is Origin.IMPORT

    def _is_made_list(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and self._origin(node) is Origin.LIST

    # Subscripts.

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        index = node.slice
        # A list settles a symbolic index itself: its slots are wrapped by the engine.
        known = (
            shapes.is_constant(index)
            or shapes.cannot_be_subscripted(node.value, index)
            or self._is_made_list(node.value)
        )
        place, start, held = place_of(node), takeoff(node.value), landing(node.value)
        self.generic_visit(node)
        if known:
            return node
        if not isinstance(node.ctx, ast.Load) or shapes.holds_slice(index):
            node.value = _call(names.AT, [node.value], held, start)
            return node
        if isinstance(node.slice, ast.Slice):
            parts = (node.slice.lower, node.slice.upper, node.slice.step)
            filled = [part or place.put(ast.Constant(value=None)) for part in parts]
            return _call(names.GETSLICE, [node.value, *filled], place, start)
        return _call(names.GETITEM, [node.value, node.slice], place, start)

    # Operators.

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        operands = [node.left, *node.comparators]
        if len(node.ops) == 1:
            return self._single_comparison(node)
        asks_identity = any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops)
        if asks_identity and all(self._can_be_repeated(middle) for middle in operands[1:-1]):
            return self._expr(_spelled_out(node, operands))
        self.generic_visit(node)
        return node

    def _can_be_repeated(self, node: ast.expr) -> bool:
        """Whether evaluating `node` twice in a row is the same as once: a constant or a local."""
        if isinstance(node, ast.Name):
            is_local = self._scope.owner(self._scope.mangle(node.id)) is self._scope
            return is_local and self._scope.kind in (Kind.FUNCTION, Kind.COMPREHENSION)
        return isinstance(node, ast.Constant)

    def _single_comparison(self, node: ast.Compare) -> ast.expr:
        helper = _COMPARISONS.get(type(node.ops[0]))
        start = takeoff(node.left)
        self.generic_visit(node)
        left, right = node.left, node.comparators[0]
        if helper is None or not _needs_helper(helper, left, right):
            return node
        if helper in (names.IN, names.NOT_IN):
            right = shapes.folded_container(right)
        return _call(helper, [left, right], place_of(node), start)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if not isinstance(node.op, ast.Not):
            self.generic_visit(node)
            return node
        operand = node.operand
        if isinstance(operand, ast.Compare) and len(operand.ops) == 1:
            opposite = _OPPOSITE.get(type(operand.ops[0]))
            if opposite is not None:  # as the compiler does, to the same place
                operand.ops = [opposite()]
                return self._expr(operand)
        start = takeoff(operand)
        node.operand = self._expr(operand)
        if shapes.is_constant(operand):
            return node
        return _call(names.NOT, [node.operand], place_of(node), start)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        # From 3.11 on every `%` goes through the slot of `str`, which the engine has wrapped, but
        # for those that the compiler makes an f-string of.
        folded = isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Tuple)
        safe = not isinstance(node.op, ast.Mod) or (sys.version_info >= (3, 11) and not folded)
        known = safe or self._is_number(node.left) or shapes.is_constant(node.right)
        start = takeoff(node.left)
        self.generic_visit(node)
        if known:
            return node
        return _call(names.MOD, [node.left, node.right], place_of(node), start)

    def _is_number(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            numeric = node.func.id in _NUMBER_BUILTINS
            return numeric and self._origin(node.func) is Origin.BUILTIN
        return shapes.cannot_be_text(node)

    # Text.

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        joined = self._joined(node)
        return node if joined is None else joined

    def _joined(self, node: ast.JoinedStr) -> ast.Call | None:
        """The call that joins the parts; `None` if CPython has nothing to join."""
        if not any(isinstance(part, ast.FormattedValue) for part in node.values):
            return None
        parts = [
            self._field(part) if isinstance(part, ast.FormattedValue) else part
            for part in node.values
        ]
        if len(parts) == 1 and isinstance(parts[0], ast.Call):
            return parts[0]
        place = place_of(node)
        return _call(names.JOIN, parts, place, place)

    def _field(self, node: ast.FormattedValue) -> ast.Call:
        place = place_of(node)
        conversion = place.put(ast.Constant(value=node.conversion))
        arguments = [self._expr(node.value), conversion]
        if isinstance(node.format_spec, ast.JoinedStr):
            for part in node.format_spec.values:
                if isinstance(part, ast.FormattedValue):
                    if part.conversion == -1 and part.format_spec is None:
                        part.conversion = names.WITHIN_SPEC
                    arguments.append(self._field(part))
                else:
                    arguments.append(part)
        return _call(names.FIELD, arguments, place, place)

    # Displays: the keys would be hashed.

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        known = all(key is not None and shapes.is_constant(key) for key in node.keys)
        self.generic_visit(node)
        if known:
            return node
        display = _Display(names.DICT, place_of(node))
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                display.spread(value)
            else:
                display.add(key, value)
        return display.finished()

    def visit_Set(self, node: ast.Set) -> ast.expr:
        known = all(shapes.is_constant(item) for item in node.elts)
        self.generic_visit(node)
        if known:
            return node
        display = _Display(names.SET, place_of(node))
        for item in node.elts:
            if isinstance(item, ast.Starred):
                display.spread(item.value)
            else:
                display.add(item)
        return display.finished()

    # Tests: where a truth is asked at once, `not` may stay an instruction.

    def _test(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self._test(node.operand)
            return node
        if isinstance(node, ast.BoolOp):
            node.values = [self._test(value) for value in node.values]
            return node
        if isinstance(node, ast.IfExp):
            node.test = self._test(node.test)
            node.body = self._test(node.body)
            node.orelse = self._test(node.orelse)
            return node
        return self._expr(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        *asked, last = node.values
        node.values = [*(self._test(value) for value in asked), self._expr(last)]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        merged = self._merged(node)
        node.test = self._test(node.test)
        node.body = self._expr(node.body)
        node.orelse = self._expr(node.orelse)
        if merged is None:
            return node
        guard, number = merged
        return place_of(node).put(ast.IfExp(test=guard, body=number, orelse=node))

    def _visit_tested(self, node: ast.If | ast.While) -> ast.stmt:
        node.test = self._test(node.test)
        node.body = self._statements(node.body)
        node.orelse = self._statements(node.orelse)
        return node

    visit_While = _visit_tested

    def visit_If(self, node: ast.If) -> ast.stmt:
        merged, choice = self._merged(node), self._choices.get(node)
        plain = self._visit_tested(node)
        if merged is None or choice is None or choice.target is None:
            return plain
        guard, number = merged
        place = place_of(node)
        target = place.put(ast.Name(id=choice.target, ctx=ast.Store()))
        chosen = place.put(ast.Assign(targets=[target], value=number))
        return place.put(ast.If(test=guard, body=[chosen], orelse=[plain]))

    def _merged(self, node: ast.If | ast.IfExp) -> tuple[ast.expr, ast.expr] | None:
        """Whether a choice is between numbers, and the number that it gives."""
        choice = self._choices.get(node)
        if choice is None:
            return None
        place = place_of(node.test)
        variables = [place.put(ast.Name(id=each, ctx=ast.Load())) for each in choice.variables]
        arms = (copied(part) for arm in choice.arms for part in arm)
        parts = [self._expr(part) for part in (*arms, copied(choice.other))]
        number = _call(names.EITHER, parts, place, place)
        return _call(names.NUMBERS, variables, place, place), number

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        node.test = self._test(node.test)
        node.msg = self._expr(node.msg) if node.msg else None
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        node.pattern = self.visit(node.pattern)
        node.guard = self._test(node.guard) if node.guard else None
        node.body = self._statements(node.body)
        return node

    def visit_MatchSingleton(self, node: ast.MatchSingleton) -> ast.pattern:
        if node.value is None:
            return node
        helper = names.TRUE if node.value else names.FALSE
        name = place_of(node).put(ast.Name(id=helper, ctx=ast.Load()))
        pattern = ast.MatchClass(cls=name, patterns=[], kwd_attrs=[], kwd_patterns=[])
        return ast.copy_location(pattern, node)

    def _statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [self.visit(statement) for statement in body]

    # Scopes.

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
        node.decorator_list = self._decorators(node.decorator_list)
        self._visit_defaults(node.args)
        read_by_c = self._scope.kind is Kind.CLASS and node.name in _READ_BY_C
        if read_by_c and node.decorator_list:
            place = place_of(node.decorator_list[0])
            name = place.put(ast.Constant(value=node.name))
            node.decorator_list.insert(0, _call(names.SETTLED, [name], place, place))
        outer, self._answers = self._answers, node.name if read_by_c else None
        if self._merging:
            self._choices.update(choices(node))
        with self._inside(self._scopes.opened_by(node, Kind.FUNCTION)):
            node.body = self._statements(node.body)
        self._answers = outer
        return node

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        if node.value is None:
            return node
        known = self._answers is None or shapes.is_constant(node.value)
        place, start = place_of(node.value), takeoff(node.value)
        node.value = self._expr(node.value)
        if not known:
            method = start.put(ast.Constant(value=self._answers))
            node.value = _call(names.PLAIN, [method, node.value], place, start)
        return node

    visit_FunctionDef = _visit_function
    visit_AsyncFunctionDef = _visit_function

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        self._visit_defaults(node.args)
        outer, self._answers = self._answers, None
        with self._inside(self._scopes.opened_by(node, Kind.FUNCTION)):
            node.body = self._expr(node.body)
        self._answers = outer
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """A special method need not be a `def`: `__bool__ = lambda self: ...`, `__len__ = size`."""
        method = self._special_method(node)
        place, start = place_of(node.value), takeoff(node.value)
        self.generic_visit(node)
        if method is None or shapes.is_constant(node.value):
            return node
        if isinstance(node.value, ast.Lambda):
            body = node.value.body
            place, start = place_of(body), takeoff(body)
            name = start.put(ast.Constant(value=method))
            node.value.body = _call(names.PLAIN, [name, body], place, start)
        else:
            name = start.put(ast.Constant(value=method))
            node.value = _call(names.SETTLED, [name, node.value], place, start)
        return node

    def _special_method(self, node: ast.Assign) -> str | None:
        target = node.targets[0]
        if not isinstance(target, ast.Name) or self._scope.kind is not Kind.CLASS:
            return None
        return target.id if target.id in _READ_BY_C else None

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        node.decorator_list = self._decorators(node.decorator_list)
        generic = bool(getattr(node, "type_params", None))
        outer = self._scopes.opened_by(node, Kind.TYPE_PARAMETERS) if generic else self._scope
        with self._inside(outer):
            node.bases = self._exprs(node.bases)
            for keyword in node.keywords:
                keyword.value = self._expr(keyword.value)
        with self._inside(self._scopes.opened_by(node, Kind.CLASS)):
            node.body = self._statements(node.body)
        return node

    def _decorators(self, decorators: list[ast.expr]) -> list[ast.expr]:
        # The first line of a code object is the line of its first decorator, which must not move.
        places = [place_of(decorator) for decorator in decorators]
        return [place.put(self._expr(node)) for place, node in zip(places, decorators, strict=True)]

    def _visit_defaults(self, arguments: ast.arguments) -> None:
        arguments.defaults = self._exprs(arguments.defaults)
        arguments.kw_defaults = [
            self._expr(default) if default else None for default in arguments.kw_defaults
        ]

    def _visit_comprehension(self, node: ComprehensionNode) -> ast.expr:
        first = node.generators[0]
        first.iter = self._expr(first.iter)
        with self._inside(self._scopes.opened_by(node, Kind.COMPREHENSION)):
            for generator in node.generators:
                generator.target = self._expr(generator.target)
                if generator is not first:
                    generator.iter = self._expr(generator.iter)
                generator.ifs = [self._test(test) for test in generator.ifs]
            if isinstance(node, ast.DictComp):
                node.key, node.value = self._expr(node.key), self._expr(node.value)
            else:
                node.elt = self._expr(node.elt)
        return node

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        known, start = shapes.is_constant(node.elt), place_of(node.elt)
        self._visit_comprehension(node)
        if known:
            return node
        node.elt = _call(names.ENTRY, [node.elt], _entry_place(node, start), start)
        return _call(names.ENTRIES, [node], place_of(node), place_of(node))

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        known, start, end = shapes.is_constant(node.key), place_of(node.key), place_of(node.value)
        self._visit_comprehension(node)
        if known:
            return node
        place = Place(start.line, start.column, end.end_line, end.end_column)
        place = _entry_place(node, place)
        node.key = _call(names.ENTRY, [node.key, node.value], place, start)
        node.value = place.put(ast.Constant(value=None))
        return _call(names.ENTRIES, [node], place_of(node), place_of(node))

    visit_ListComp = _visit_comprehension
    visit_GeneratorExp = _visit_comprehension

    # What programs read back.

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is not None:
            target = self._expr(node.target)
            assert isinstance(target, (ast.Name, ast.Attribute, ast.Subscript))
            node.target = target
            node.value = self._expr(node.value)
        return node

    def visit_TypeAlias(self, node: _Statement) -> _Statement:
        return node


def _entry_place(comprehension: ast.expr, entry: Place) -> Place:
    """Where CPython reports that an entry of a comprehension has no hash."""
    return entry if sys.version_info >= (3, 12) else place_of(comprehension)


def _needs_helper(helper: str, left: ast.expr, right: ast.expr) -> bool:
    if helper in (names.IN, names.NOT_IN):
        return not (shapes.is_constant(left) and shapes.is_constant(right))
    # Nothing symbolic is identical to None or a number; True and False are another matter.
    return not (shapes.is_constant_but_bool(left) or shapes.is_constant_but_bool(right))


def _spelled_out(node: ast.Compare, operands: Sequence[ast.expr]) -> ast.BoolOp:
    """`a < b is c` as `a < b and b is c`; only for operands that can be repeated."""
    place = place_of(node)
    links: list[ast.expr] = []
    for left, op, right in zip(operands, node.ops, operands[1:], strict=False):
        middle = _again(left) if links else left
        links.append(place.put(ast.Compare(left=middle, ops=[op], comparators=[right])))
    return place.put(ast.BoolOp(op=ast.And(), values=links))


def _again(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Name):
        return place_of(node).put(ast.Name(id=node.id, ctx=ast.Load()))
    assert isinstance(node, ast.Constant)
    return place_of(node).put(ast.Constant(value=node.value, kind=node.kind))
