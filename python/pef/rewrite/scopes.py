"""Which binding a name refers to, decided from the syntax alone.

The rewriter leaves a call alone where it can tell what is called: a function defined once, a list
made here, a builtin nobody rebinds. This room answers that question the way CPython's own symbol
table does (`symtable` is the oracle of the tests) and additionally keeps *how* each name is bound.

Whenever a name might be bound in a way not seen here, the answer is `Origin.UNKNOWN`, which makes
the rewriter choose the general form. A wrong "known" would lose symbolic information silently.
"""

# ruff: noqa: N815  (the visitor names are those of `ast`)
from __future__ import annotations

import ast
import enum

from pef.records import field, record

ComprehensionNode = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Kind(enum.Enum):
    """What a scope belongs to. Names of a class body are invisible to the scopes inside it."""

    MODULE = "module"
    FUNCTION = "function"
    CLASS = "class"
    COMPREHENSION = "comprehension"
    TYPE_PARAMETERS = "type parameters"


class Origin(enum.Enum):
    """How a name came to its value."""

    FUNCTION = "bound once, by an undecorated def"
    LIST = "bound to list displays and comprehensions only"
    IMPORT = "bound by import statements only"
    BUILTIN = "bound nowhere in the file"
    UNKNOWN = "anything else"


@record(frozen=True)
class Binding:
    """One place that gives a name a value. `settled` is false inside if, try, loops, ..."""

    origin: Origin
    line: int
    settled: bool


@record(eq=False)
class Scope:
    """A namespace of the file: the names it binds and the names it declares to live elsewhere."""

    kind: Kind
    parent: Scope | None
    private_to: str | None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    global_names: set[str] = field(default_factory=set)
    nonlocal_names: set[str] = field(default_factory=set)

    def mangle(self, name: str) -> str:
        """The name the compiler uses for `name` here: `__x` in a class `C` is `_C__x`."""
        if self.private_to is None or not name.startswith("__") or name.endswith("__"):
            return name
        owner = self.private_to.lstrip("_")
        return f"_{owner}{name}" if owner else name

    def owner(self, name: str) -> Scope | None:
        """The scope whose `name` is meant by a use of (mangled) `name` here; None: a builtin."""
        scope: Scope | None = self
        module = self.module
        while scope is not None:
            if name in scope.global_names:
                return module if name in module.bindings else None
            if name in scope.bindings and name not in scope.nonlocal_names:
                return scope
            scope = scope.enclosing
        return None

    @property
    def enclosing(self) -> Scope | None:
        """The next scope in which names are looked up."""
        scope = self.parent
        if self.kind is Kind.TYPE_PARAMETERS:
            return scope
        while scope is not None and scope.kind is Kind.CLASS:
            scope = scope.parent
        return scope

    @property
    def module(self) -> Scope:
        """The outermost scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    @property
    def walrus_target(self) -> Scope:
        """Where `:=` binds: comprehensions hand it to the scope they stand in."""
        scope = self
        while scope.kind is Kind.COMPREHENSION and scope.parent is not None:
            scope = scope.parent
        return scope


class Scopes:
    """The scopes of one file, found again by the node that opens them."""

    def __init__(self, tree: ast.Module | ast.Expression) -> None:
        self.module = Scope(Kind.MODULE, None, None)
        self._opened: dict[tuple[int, Kind], Scope] = {}
        self._last_star_import = 0
        # An expression on its own is evaluated in a namespace that is not part of the tree.
        self._rebinds_by_name = isinstance(tree, ast.Expression)
        _Collector(self).collect(tree)

    def opened_by(self, node: ast.AST, kind: Kind) -> Scope:
        """The scope of the given kind that `node` opens."""
        return self._opened[id(node), kind]

    def open(self, node: ast.AST, kind: Kind, parent: Scope, private_to: str | None) -> Scope:
        """Adds the scope that `node` opens inside `parent`."""
        scope = Scope(kind, parent, private_to)
        self._opened[id(node), kind] = scope
        return scope

    def saw_star_import(self, line: int) -> None:
        """Notes a `from m import *`, which may bind any name of the module."""
        self._last_star_import = max(self._last_star_import, line)

    def saw_name(self, name: str) -> None:
        """Notes a use of `name`; with these two a module may bind any of its names."""
        if name in {"globals", "exec"}:
            self._rebinds_by_name = True

    def origin(self, name: str, scope: Scope, line: int) -> Origin:
        """How the `name` used in `scope` on `line` got its value."""
        name = scope.mangle(name)
        owner = scope.owner(name)
        if owner is None:
            hidden = self._rebinds_by_name or self._last_star_import > 0
            return Origin.UNKNOWN if hidden else Origin.BUILTIN
        bindings = owner.bindings[name]
        origins = {binding.origin for binding in bindings}
        origin = bindings[0].origin if len(origins) == 1 else Origin.UNKNOWN
        if origin is Origin.FUNCTION:
            certain = self._is_sole_definition(bindings, owner, scope, line)
        else:
            certain = origin is not Origin.LIST or owner.kind is Kind.FUNCTION
        return origin if certain else Origin.UNKNOWN

    def _is_sole_definition(
        self, bindings: list[Binding], owner: Scope, scope: Scope, line: int
    ) -> bool:
        if len(bindings) != 1 or owner.kind is Kind.CLASS:
            return False
        if owner.kind is not Kind.MODULE:
            return True  # an unbound local is an error, never some other function
        definition = bindings[0]
        if self._rebinds_by_name or not definition.settled:
            return False
        runs_at_once = scope.kind is not Kind.FUNCTION
        return definition.line > self._last_star_import and not (
            runs_at_once and line <= definition.line
        )


class _Collector(ast.NodeVisitor):
    """Walks the file once and records every binding in the scope it belongs to."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._scope = scopes.module
        self._pending: list[tuple[Scope, str, Binding]] = []
        self._settled: set[int] = set()

    def collect(self, tree: ast.Module | ast.Expression) -> None:
        if isinstance(tree, ast.Module):
            self._settled = {id(statement) for statement in tree.body}
        self.visit(tree)
        for scope, name, binding in self._pending:
            self._deliver(scope, name, binding)

    def _deliver(self, scope: Scope, name: str, binding: Binding) -> None:
        """Books a binding made under `global` or `nonlocal` where the name really lives."""
        if name in scope.global_names:
            home: Scope | None = scope.module
        else:
            home = scope.enclosing.owner(name) if scope.enclosing else None
        if home is not None:
            home.bindings.setdefault(name, []).append(binding)

    def _bind(
        self, name: str, node: ast.AST, origin: Origin = Origin.UNKNOWN, scope: Scope | None = None
    ) -> None:
        scope = scope or self._scope
        name = scope.mangle(name)
        line: int = getattr(node, "lineno", 0)
        binding = Binding(origin, line, settled=id(node) in self._settled)
        # `global` may stand below a use in dead code only, so declarations are known by now.
        if name in scope.global_names or name in scope.nonlocal_names:
            elsewhere = Binding(Origin.UNKNOWN, line, settled=False)
            self._pending.append((scope, name, elsewhere))
        else:
            scope.bindings.setdefault(name, []).append(binding)

    def _visit_in(self, scope: Scope, nodes: list[ast.AST]) -> None:
        outer, self._scope = self._scope, scope
        for node in nodes:
            self.visit(node)
        self._scope = outer

    # Scopes.

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        origin = Origin.UNKNOWN if node.decorator_list else Origin.FUNCTION
        self._bind(node.name, node, origin)
        self._visit_each(node.decorator_list)
        self._visit_defaults(node.args)
        parent = self._type_parameters(node)
        scope = self._scopes.open(node, Kind.FUNCTION, parent, parent.private_to)
        self._visit_parameters(scope, node.args)
        annotations = [
            node.returns,
            *(parameter.annotation for parameter in _parameters(node.args)),
        ]
        self._visit_in(parent, [part for part in annotations if part is not None])
        self._visit_in(scope, list(node.body))

    visit_FunctionDef = _visit_function
    visit_AsyncFunctionDef = _visit_function

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_defaults(node.args)
        scope = self._scopes.open(node, Kind.FUNCTION, self._scope, self._scope.private_to)
        self._visit_parameters(scope, node.args)
        self._visit_in(scope, [node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind(node.name, node)
        self._visit_each(node.decorator_list)
        parent = self._type_parameters(node)
        self._visit_in(parent, [*node.bases, *node.keywords])
        scope = self._scopes.open(node, Kind.CLASS, parent, node.name)
        self._visit_in(scope, list(node.body))

    def _type_parameters(self, node: ast.stmt) -> Scope:
        parameters: list[ast.AST] = getattr(node, "type_params", [])
        if not parameters:
            return self._scope
        # Inside the brackets of a class statement, private names are the class's own.
        private = node.name if isinstance(node, ast.ClassDef) else self._scope.private_to
        scope = self._scopes.open(node, Kind.TYPE_PARAMETERS, self._scope, private)
        for parameter in parameters:
            self._bind(getattr(parameter, "name"), parameter, scope=scope)  # noqa: B009
        return scope

    def _visit_comprehension(self, node: ComprehensionNode) -> None:
        scope = self._scopes.open(node, Kind.COMPREHENSION, self._scope, self._scope.private_to)
        first, *others = node.generators
        self.visit(first.iter)
        inside: list[ast.AST] = [first.target, *first.ifs, *others]
        inside += [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._visit_in(scope, inside)

    visit_ListComp = _visit_comprehension
    visit_SetComp = _visit_comprehension
    visit_DictComp = _visit_comprehension
    visit_GeneratorExp = _visit_comprehension

    def _visit_each(self, nodes: list[ast.expr]) -> None:
        for node in nodes:
            self.visit(node)

    def _visit_defaults(self, arguments: ast.arguments) -> None:
        self._visit_each([*arguments.defaults, *filter(None, arguments.kw_defaults)])

    def _visit_parameters(self, scope: Scope, arguments: ast.arguments) -> None:
        for parameter in _parameters(arguments):
            self._bind(parameter.arg, parameter, scope=scope)

    # Bindings.

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._scopes.saw_name(node.id)
        else:
            self._bind(node.id, node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._bind(node.target.id, node, scope=self._scope.walrus_target)
        self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._visit_target(target, node.value)
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.annotation)
        if node.value is None:
            # A bare declaration makes the name local without giving it a value.
            if isinstance(node.target, ast.Name):
                self._bind(node.target.id, node.target)
            return
        self._visit_target(node.target, node.value)
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        keeps_list = isinstance(node.op, ast.Add)
        self._visit_target(node.target, node.value if keeps_list else node.target)
        self.visit(node.value)

    def _visit_target(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name) and isinstance(value, (ast.List, ast.ListComp)):
            self._bind(target.id, target, Origin.LIST)
        else:
            self.visit(target)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._bind(alias.asname or alias.name.partition(".")[0], node, Origin.IMPORT)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self._scopes.saw_star_import(node.lineno)
            else:
                self._bind(alias.asname or alias.name, node, Origin.IMPORT)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name is not None:
            self._bind(node.name, node)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name is not None:
            self._bind(node.name, node)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        if node.name is not None:
            self._bind(node.name, node)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest is not None:
            self._bind(node.rest, node)
        self.generic_visit(node)

    def visit_TypeAlias(self, node: ast.AST) -> None:
        self.visit(getattr(node, "name"))  # noqa: B009

    def visit_Global(self, node: ast.Global) -> None:
        self._scope.global_names.update(map(self._scope.mangle, node.names))

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self._scope.nonlocal_names.update(map(self._scope.mangle, node.names))


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    parameters += filter(None, (arguments.vararg, arguments.kwarg))
    return parameters
