"""Rows of lists, tuples, dicts, sets and their relatives in `collections`."""

from __future__ import annotations

from pef.models.table.rows import Operation, Treatment
from pef.records import replace

_M, _D, _P = Treatment.MODELLED, Treatment.DECIDED, Treatment.PINNED

_WHERE = "which position is meant"
_WHICH = "which item is equal"
_KEY = "which key is meant, or none"
_MANY = "how many"
_ORDER = "the order of a set is that of its hashes"


def rows() -> tuple[Operation, ...]:
    """All rows of containers."""
    return (*_lists(), *_tuples(), *_dicts(), *_sets(), *_frozensets())


def _lists() -> list[Operation]:
    def row(name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
        return Operation("list", name, treatment, cases, why)

    def after(change: str, items: str = "[x, 5, y]") -> str:
        return f"a = {items}\nr = {change}\nreturn a, r"

    return [
        row("append", _M, after("a.append(x)", "[]"), after("a.append()", "[x]")),
        row("clear", _M, after("a.clear()")),
        row("copy", _M, "[x, y].copy()", "[x].copy() is [x]"),
        row("count", _D, "[1, x, 2].count(y % 3)", "[x, x].count(1)", "[].count(x)", why=_WHICH),
        row("extend", _M, after("a.extend((y, x))"), after("a.extend(v + 1 for v in [x])")),
        row("extend", _M, after("a.extend(5)"), after("a.extend(s)", "[]"), why="each character"),
        row(
            "index",
            _D,
            *("[1, x, 2].index(2)", "[1, 2, 1].index(1, x)", "[1, 2, 1].index(1, x, y)"),
            *("['a'].index(s)", "[1].index(1, 'a')", "['a', 'b'].index(s, x)"),
            why=_WHICH,
        ),
        # The message of 3.10 is empty for a number of more digits than it will print.
        replace(
            row("index", _D, "[x, 5].index(y)", "[5, 6].index(x)", "[].index(x)", why=_WHICH),
            since=(3, 11),
        ),
        row(
            "insert",
            _D,
            *(after("a.insert(x, 7)", "[1, 2, 3]"), after("a.insert(x, y)", "[]")),
            *(
                after("a.insert(p, 7)", "[1, 2]"),
                after("a.insert('a', x)"),
                after("a.insert(0, x)"),
            ),
            why=_WHERE,
        ),
        row(
            "pop",
            _D,
            *(after("a.pop(x)", "[1, 2, 3]"), after("a.pop()"), after("a.pop(y)", "[]")),
            *(after("a.pop(p)", "[1, 2]"), after("a.pop('a')"), after("a.pop(0)")),
            why=_WHERE,
        ),
        row("remove", _D, after("a.remove(5)"), after("a.remove(x)", "[1, 2]"), why=_WHICH),
        row("reverse", _M, after("a.reverse()")),
        row(
            "sort",
            _D,
            *(
                after("a.sort()"),
                after("a.sort(reverse=True)"),
                after("a.sort(reverse=p)", "[1, 2]"),
            ),
            *(after("a.sort(key=lambda v: -v)"), after("a.sort(key=abs)", "[x, 3]")),
            *(
                after("a.sort(reverse=x)", "[1, 2]"),
                after("a.sort(5)"),
                after("a.sort()", "[x, 'a']"),
            ),
            why="which of two is smaller",
        ),
        row(
            "[]",
            _D,
            *("[1, 2, 3][x]", "[1, 2, 3][x:]", "[1, 2, 3][:x]", "[1, 2, 3][x:y]", "[1, 2, 3][::x]"),
            *("[1, 2, 3][2:x:-1]", "[1, 2, 3][x::-2]", "[1, 2][p:]", "[x, y][1:]", "[1][x:'a']"),
            *("[][x:y]", "[1, 2, 3, 4][x:3:y]", "[1, 2].__getitem__(x)", "[1]['a':x]", "[1][x]"),
            why=_WHERE,
        ),
        row(
            "[] =",
            _D,
            *("a = [1, 2, 3]\na[x] = y\nreturn a", "a = [1, 2, 3]\na[x:] = [7]\nreturn a"),
            *("a = [1, 2, 3]\na[x:y] = (7, 8)\nreturn a", "a = [1, 2]\na[::x] = [5, 6]\nreturn a"),
            *("a = [1, 2]\na.__setitem__(x, 3)\nreturn a", "a = [1, 2]\na[x] += 1\nreturn a"),
            *("a = [1, 2]\na[x:] = 5\nreturn a", "a = [1]\na[1:] = [x, y]\nreturn a"),
            why=_WHERE,
        ),
        row(
            "del []",
            _D,
            *("a = [1, 2, 3]\ndel a[x]\nreturn a", "a = [1, 2, 3]\ndel a[x:]\nreturn a"),
            *("a = [1, 2, 3]\ndel a[::x]\nreturn a", "a = [1, 2]\na.__delitem__(x)\nreturn a"),
            why=_WHERE,
        ),
        row(
            "+", _M, "[x] + [y]", "[x] + (y,)", "a = [x]\na += (y, 1)\nreturn a", "[x].__add__([1])"
        ),
        row(
            "*",
            _D,
            *("[1, 2] * (x % 4)", "(x % 3) * [y]", "[] * x", "[1] * p", "[1] * -x if x > 0 else 0"),
            *("a = e = [1]\na *= x % 3\nreturn a, e, a is e", "[1].__mul__(x % 3)", "[1] * 1.5"),
            "[1].__imul__(x % 3)",
            why=_MANY,
        ),
        row(
            "in",
            _D,
            *(
                "x in [1, 2]",
                "5 in [x, y]",
                "x not in [y]",
                "s in ['a', 'b']",
                "[1].__contains__(x)",
            ),
            why=_WHICH,
        ),
        row(
            "comparison",
            _D,
            *("[x, 1] == [2, y]", "[x] < [3]", "[x, y] >= [1, 2]", "[x] != [x]", "[x] == (x,)"),
            *("[[x], 1] == [[5], 1]", "[x] < (1,)", "[x].__eq__([1])", "[1, x] < [1]"),
            why="which items differ",
        ),
        row(
            "unpacking",
            _M,
            *(
                "a, e = [x, y]\nreturn e, a",
                "a, *e = [x, y, 1]\nreturn a, e",
                "a, e = [x]\nreturn a",
            ),
            *("return (lambda *a: a)(*[x, y])", "[*[x], y]", "(*[x], *(y,))"),
        ),
        row(
            "list",
            _M,
            *(
                "list((x, y))",
                "list(v for v in [x])",
                "list([x]) == [x]",
                "list(x)",
                "list({1: x}.values())",
            ),
            *(
                "[v + 1 for v in [x, y]]",
                "len([x, y])",
                "list(reversed([x, y]))",
                "next(iter([x]))",
            ),
        ),
        row("list", _D, "[v for v in [x, y] if v]", "list(s[:2])", why="whether there is one more"),
        row("repr", _M, "repr([x, 1])", "str([x, [y]])", "f'{[x]}'"),
    ]


def _tuples() -> list[Operation]:
    def row(name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
        return Operation("tuple", name, treatment, cases, why)

    return [
        row("count", _D, "(1, x, 2).count(1)", "(x, y).count(x)", "().count(x)", why=_WHICH),
        row(
            "index",
            _D,
            *(
                "(1, x).index(2)",
                "(5, 6).index(x)",
                "(1, 2, 1).index(1, x)",
                "(1, 2).index(1, x, y)",
            ),
            *("('a',).index(s)", "(1,).index(x, 'a')"),
            why=_WHICH,
        ),
        row(
            "[]",
            _D,
            *("(1, 2, 3)[x]", "(1, 2, 3)[x:]", "(1, 2, 3)[:x:2]", "(1, 2, 3)[::x]", "(1, 2)[p]"),
            *("(x, y)[0]", "(1, 2).__getitem__(x)", "()[x]", "(1, 2)[x:y]"),
            why=_WHERE,
        ),
        row("+", _M, "(x,) + (y,)", "(x,) + [y]", "(1,).__add__((x,))"),
        row("*", _D, "(1, 2) * (x % 4)", "(x % 3) * (y,)", "(1,).__mul__(x % 3)", why=_MANY),
        row("in", _D, "x in (1, 2)", "1 in (x, y)", "s in ('a', 'b')", why=_WHICH),
        row(
            "comparison",
            _D,
            *("(x, y) == (1, 2)", "(x, y) < (y, x)", "(x,) >= (1, 2)", "((x,), 1) != ((2,), 1)"),
            why="which items differ",
        ),
        row("tuple", _M, "tuple([x, y])", "tuple(v for v in (x,))", "tuple(x)", "len((x, y))"),
        row("hash", _P, "hash((x, 1))", why="hashing"),
        row("repr", _M, "repr((x,))", "str((x, y))"),
        row(
            "namedtuple",
            _M,
            "import collections\nP = collections.namedtuple('P', 'a b')\n"
            "return P(x, b=y).a, P(x, 1)[1]",
            "import collections\nP = collections.namedtuple('P', 'a b')\nq = P(x, 1)._replace(b=y)"
            "\nreturn tuple(q), q._asdict()",
        ),
        row(
            "namedtuple",
            _D,
            "import collections\nP = collections.namedtuple('P', 'a b')\nreturn P(x, 1) == (2, 1)",
            "import collections\nP = collections.namedtuple('P', 'a b')\nreturn P(5, 6)[x]",
            why=_WHERE,
        ),
    ]


def _dicts() -> list[Operation]:
    def row(name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
        return Operation("dict", name, treatment, cases, why)

    def after(change: str, table: str = "{1: 2, 3: 4}") -> str:
        return f"d = {table}\nr = {change}\nreturn d, r"

    return [
        row(
            "[]",
            _D,
            *("{1: 2}[x]", "{1: 2, 'a': 3}[s]", "{x: 1}[y]", "{x: 1}[5]", "{(1, 2): 3}[x, y]"),
            *(
                "{True: 2}[x]",
                "{1.0: 2}[x]",
                "{None: 1}[x]",
                "{1: 2}.__getitem__(x)",
                "{1: 2}[[x]]",
            ),
            *("{x: 1, y: 2}[0]", "{b'a': 1}[b]", "{(x, 'a'): 5}[1, 'a']", "{f: 1}[2]"),
            why=_KEY,
        ),
        row(
            "[] =",
            _D,
            *("d = {1: 2}\nd[x] = 5\nreturn d", "d = {x: 2}\nd[1] = 5\nreturn d"),
            *("d = {}\nd[x] = 1\nd[y] = 2\nreturn d", "d = {1: 2}\nd[x] += 1\nreturn d"),
            *(
                "d = {}\nd[x, y] = 1\nd[1, 2] = 3\nreturn d",
                "d = {1: 2}\nd.__setitem__(x, 1)\nreturn d",
            ),
            why=_KEY,
        ),
        row(
            "del []",
            _D,
            *("d = {1: 2}\ndel d[x]\nreturn d", "d = {x: 2, 7: 8}\ndel d[7]\nreturn d"),
            "d = {x: 2}\nd.__delitem__(y)\nreturn d",
            why=_KEY,
        ),
        row(
            "display",
            _D,
            *(
                "{x: 1, y: 2}",
                "{x: 1, 5: 2, x: 3}",
                "{**{x: 1}, 2: y}",
                "{1: x, **{y: 2}}",
                "{**x}",
            ),
            *(
                "{s: 1, 'a': 2}",
                "{(x, y): 1, (1, 2): 3}",
                "{p: 1, q: 2}",
                "{[x]: 1}",
                "{x: 1, 1.0: 2}",
            ),
            why=_KEY,
        ),
        row(
            "comprehension",
            _D,
            *(
                "{v: 1 for v in [x, y]}",
                "{v % 2: v for v in [x, 1]}",
                "{k: v for k, v in [(x, y)]}",
            ),
            *(
                "{v: w for v in [x] for w in [1, 2]}",
                "{[v]: 1 for v in [x]}",
                "{v: 1 for v in [x] if v}",
            ),
            why=_KEY,
        ),
        row(
            "dict",
            _D,
            *(
                "dict([(x, 1), (y, 2)])",
                "dict({x: 1})",
                "dict({1: x}, a=y)",
                "dict(a=x)",
                "dict(x)",
            ),
            *("dict([(x, 1, 2)])", "dict([x])", "dict({x: 1}, a=2)", "dict(zip([x, y], [1, 2]))"),
            *("len({x: 1, y: 2})", "bool({x: 1})", "dict([s[:2]])", "dict({x: 1}, {})"),
            why=_KEY,
        ),
        row("clear", _M, after("d.clear()", "{x: 1}")),
        row("copy", _M, after("d.copy()", "{x: 1}"), after("d.copy()", "{1: x}")),
        row(
            "copy",
            _D,
            *(
                "d = {x: 1}\ne = d.copy()\ne[y] = 2\nreturn d, e",
                "d = {x: 1}.copy()\nreturn 5 in d",
            ),
            why=_KEY,
        ),
        row(
            "fromkeys",
            _D,
            *(
                "dict.fromkeys([x, y])",
                "dict.fromkeys([x, 1], y)",
                "dict.fromkeys(x)",
                "{}.fromkeys((x,))",
            ),
            why=_KEY,
        ),
        row(
            "get",
            _D,
            *("{1: 2}.get(x)", "{1: 2, 3: 4}.get(x, y)", "{x: 1}.get(1, 5)", "{'a': 1}.get(s, 0)"),
            *("{}.get(x)", "{(1, 2): 3}.get((x, y))", "{1: 2}.get([x])", "{1: 2}.get(x, 1, 2)"),
            why=_KEY,
        ),
        row(
            "items",
            _D,
            *("list({x: 1, y: 2}.items())", "(1, y) in {x: 2}.items()", "(x, 2) in {1: 2}.items()"),
            *(
                "{x: 1}.items() & {(1, 1)}",
                "{x: 1}.items() == {1: 1}.items()",
                "len({x: 1}.items())",
            ),
            *("list({1: x}.items())", "{x: 1}.items() - [(2, 1)]", "dict({x: 1}.items())"),
            why=_KEY,
        ),
        row(
            "keys",
            _D,
            *(
                "list({x: 1, y: 2}.keys())",
                "1 in {x: 2}.keys()",
                "x in {1: 2}.keys()",
                "x in {1: 2}",
            ),
            *("len({x: 1}.keys() & {1, 2})", "{x: 1}.keys() | {1}", "{x: 1}.keys() == {1}"),
            *("{x: 1}.keys() - {1}", "{x: 1}.keys() ^ {1}", "{x: 1}.keys() <= {1, 2}"),
            *("{x: 1}.keys().isdisjoint([1])", "isinstance({x: 1}.keys(), type({}.keys()))"),
            *("list(reversed({x: 1}.keys()))", "{x: 1}.keys() < 5", "hash({x: 1}.keys())"),
            why=_KEY,
        ),
        row(
            "pop",
            _D,
            *(after("d.pop(x)"), after("d.pop(x, 5)"), after("d.pop(1)", "{x: 2}")),
            *(after("d.pop(y, x)", "{x: 2}"), after("d.pop()", "{x: 1}"), after("d.pop(x)", "{}")),
            why=_KEY,
        ),
        row("popitem", _M, after("d.popitem()", "{1: x}"), after("d.popitem()", "{x: y}")),
        row(
            "popitem",
            _D,
            after("d.popitem()", "{x: 1, y: 2}"),
            after("d.popitem()", "{}"),
            why=_KEY,
        ),
        row(
            "setdefault",
            _D,
            *(
                after("d.setdefault(x, y)"),
                after("d.setdefault(1)", "{x: 2}"),
                after("d.setdefault(x)"),
            ),
            *(after("d.setdefault(x, []).append(1)", "{}"), after("d.setdefault([x])")),
            why=_KEY,
        ),
        row(
            "update",
            _D,
            *(after("d.update({x: 5})"), after("d.update([(1, y)], a=x)"), after("d.update(a=x)")),
            *(
                after("d.update({1: 5})", "{x: 2}"),
                after("d.update(x)"),
                after("d.update({}, {x: 1})"),
            ),
            after("d.update(zip([x], [y]))"),
            why=_KEY,
        ),
        row(
            "values",
            _M,
            *("list({1: x, 2: y}.values())", "sum({1: x}.values())", "list({x: y}.values())"),
        ),
        row(
            "|",
            _D,
            *(
                "{x: 1} | {1: 2}",
                "{1: 2} | {x: 3}",
                "d = {1: 2}\nd |= {x: 3}\nreturn d",
                "{x: 1} | 5",
            ),
            *("d = {x: 2}\nd |= [(1, 3)]\nreturn d", "{x: 1}.__or__({2: y})", "[] | {x: 1}"),
            why=_KEY,
        ),
        row(
            "in",
            _M,
            *("x in {1: 2}", "s not in {'a': 1}", "(x, y) in {(1, 2): 3}", "p in {0: 1}"),
        ),
        row("in", _D, "1 in {x: 2}", "{1: 2}.__contains__(x)", "[x] in {1: 2}", why=_KEY),
        row(
            "comparison",
            _D,
            *(
                "{x: 1} == {1: 1}",
                "{1: x} == {1: 5}",
                "{x: 1, y: 2} != {1: 1, 2: 2}",
                "{x: 1} < {1: 1}",
            ),
            *("{x: 1} == 5", "{(x, 1): 2} == {(3, 1): 2}", "{1: 2} == {x: y}"),
            why=_KEY,
        ),
        row(
            "iteration",
            _D,
            *("list({x: 1, y: 2})", "list(reversed({x: 1, 2: 3}))", "sorted({x: 1, 5: 2})"),
            *("d = {x: 1}\nfor k in d:\n    d[y] = 2\nreturn d", "[*{x: 1}]", "max({x: 1, 3: 2})"),
            "d = {x: 1}\nfor k in d.items():\n    d.clear()\nreturn d",
            why=_KEY,
        ),
        row(
            "repr",
            _D,
            *("repr({x: 1})", "str({1: x})", "f'{ {x: y} }'", "repr({x: 1}.keys())"),
            why=_KEY,
        ),
        row(
            "match",
            _D,
            "match {x: 1}:\n    case {5: v}: return v\n    case _: return 0",
            "match {'a': x}:\n    case {'a': 1}: return 1\n    case {'a': v, **r}: return v, r",
            why=_KEY,
        ),
        row(
            "subclass",
            _D,
            "class D(dict):\n    def __missing__(self, k): return 0\n"
            "d = D()\nd[x] = 1\nreturn d[5]",
            "class D(dict):\n    def __setitem__(self, k, v): super().__setitem__(k, v + 1)\n"
            "d = D()\nd[x] = 1\nreturn d[5]",
            "class D(dict): pass\nd = D()\nd[x] = 1\nreturn 5 in d, type(d).__name__, len(d)",
            why=_KEY,
        ),
        row(
            "ChainMap",
            _D,
            "import collections\nreturn collections.ChainMap({x: 1}, {1: 2})[1]",
            "import collections\nreturn collections.ChainMap({}, {1: 2}).get(x, 5)",
            "import collections\nm = collections.ChainMap({}, {1: 2})\nm[x] = 3\nreturn dict(m)",
            why=_KEY,
        ),
    ]


def _sets() -> list[Operation]:
    def row(name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
        return Operation("set", name, treatment, cases, why)

    def after(change: str, items: str = "{1, 2}") -> str:
        return f"a = {items}\nr = {change}\nreturn sorted(a), r"

    return [
        row(
            "display",
            _D,
            *(
                "len({x, y})",
                "{x}",
                "len({x, 1, *[y]})",
                "{*[x], 5} == {5}",
                "{x, 'a'} == {'a', 1}",
            ),
            *("{[x]}", "{*x}", "{(x, 1)} == {(2, 1)}", "len({s, t})", "len({p, q})"),
            why=_WHICH,
        ),
        row(
            "comprehension",
            _D,
            *("len({v % 3 for v in [x, y]})", "{v for v in [x]}", "{[v] for v in [x]}"),
            why=_WHICH,
        ),
        row(
            "set",
            _D,
            *(
                "len(set([x, y]))",
                "set([x]) == {1}",
                "sorted(set([x, y, 3]))",
                "set(x)",
                "set([x], 1)",
            ),
            *(
                "len(set({x: 1}))",
                "set(set([x])) == {5}",
                "set([[x]])",
                "bool({x})",
                "len(set(s[:2]))",
            ),
            why=_WHICH,
        ),
        row(
            "add", _D, after("a.add(x)"), after("a.add(1)", "{x}"), after("a.add([x])"), why=_WHICH
        ),
        row("clear", _M, after("a.clear()", "{x}")),
        row(
            "copy", _D, after("a.copy() == {1}", "{x}"), after("a.copy().add(y)", "{x}"), why=_WHICH
        ),
        row(
            "difference",
            _D,
            *("{1, 2}.difference([x])", "{x, 2}.difference({1}, [y]) == {2}", "{1}.difference(x)"),
            why=_WHICH,
        ),
        row(
            "difference_update",
            _D,
            *(after("a.difference_update([x])"), after("a.difference_update({1})", "{x}")),
            why=_WHICH,
        ),
        row("discard", _D, after("a.discard(x)"), after("a.discard(1)", "{x}"), why=_WHICH),
        row(
            "intersection",
            _D,
            *(
                "{1, 2}.intersection([x])",
                "len({x, 2}.intersection({1, 2}))",
                "{x}.intersection([1.0])",
            ),
            *("{1}.intersection(x)", "{x}.intersection()"),
            why=_WHICH,
        ),
        row(
            "intersection_update",
            _D,
            *(after("a.intersection_update([x])"), after("a.intersection_update({1})", "{x}")),
            why=_WHICH,
        ),
        row(
            "isdisjoint",
            _D,
            *("{1, 2}.isdisjoint([x])", "{x}.isdisjoint({1})", "{x}.isdisjoint(5)"),
            why=_WHICH,
        ),
        row(
            "issubset",
            _D,
            *(
                "{1}.issubset([x, y])",
                "{x}.issubset({1, 2})",
                "{x, y}.issubset({1})",
                "{x}.issubset(5)",
            ),
            why=_WHICH,
        ),
        row(
            "issuperset",
            _D,
            *("{1, 2}.issuperset([x])", "{x, y}.issuperset({1, 2})", "{x}.issuperset(5)"),
            why=_WHICH,
        ),
        row("pop", _D, after("a.pop()", "{x}"), after("a.pop()", "set()"), why=_WHICH),
        row("pop", _P, after("a.pop()", "{x, y}"), why=_ORDER),
        row(
            "remove",
            _D,
            *(after("a.remove(x)"), after("a.remove(1)", "{x}"), after("a.remove([x])")),
            why=_WHICH,
        ),
        row(
            "symmetric_difference",
            _D,
            *("sorted({1, 2}.symmetric_difference([x]))", "{x}.symmetric_difference({1})"),
            "{x}.symmetric_difference(5)",
            why=_WHICH,
        ),
        row(
            "symmetric_difference_update",
            _D,
            after("a.symmetric_difference_update([x])"),
            after("a.symmetric_difference_update({1})", "{x}"),
            why=_WHICH,
        ),
        row(
            "union",
            _D,
            *("len({1, 2}.union([x], [y]))", "len({x}.union({1}))", "sorted({x}.union([1, 2]))"),
            *("{1}.union(x)", "{x}.union()"),
            why=_WHICH,
        ),
        row(
            "update", _D, after("a.update([x], {y})"), after("a.update([1, 2])", "{x}"), why=_WHICH
        ),
        row(
            "operators",
            _D,
            *(
                "sorted({x, 1} | {2})",
                "{x} & {1}",
                "{1, 2} & {x}",
                "sorted({1, 2} - {x})",
                "{x} ^ {1}",
            ),
            *("sorted(frozenset([1]) | {x})", "{x} | [1]", "{1} - {x} == {1}", "len({x} | {y})"),
            *("a = {1}\na |= {x}\nreturn sorted(a)", "a = {x}\na &= {1}\nreturn a"),
            *("a = {1, 2}\na -= {x}\nreturn sorted(a)", "a = {1}\na ^= {x}\nreturn sorted(a)"),
            *("type(frozenset([1]) & {x})", "{x}.__or__({1}) == {1}", "{1}.__and__({x})"),
            why=_WHICH,
        ),
        row(
            "comparison",
            _D,
            *(
                "{x} == {1}",
                "{x, y} == {1, 2}",
                "{x} < {1, 2}",
                "{x} <= {1}",
                "{1, 2} >= {x}",
                "{x} != {2}",
            ),
            *(
                "{1, 2} > {x}",
                "{x} == [1]",
                "{x} < [1]",
                "{x} == frozenset([1])",
                "frozenset([1]) == {x}",
            ),
            why=_WHICH,
        ),
        row("in", _M, "x in {1, 2}", "s in {'a', 'b'}", "x not in {1}", "(x, 1) in {(2, 1)}"),
        row(
            "in", _D, "1 in {x}", "{1, 2}.__contains__(x)", "[x] in {1}", "5 in {x, y}", why=_WHICH
        ),
        row(
            "iteration",
            _D,
            *(
                "list({x})",
                "sorted({x, y})",
                "max({x, y})",
                "min({x, 3})",
                "sum({x, y})",
                "any({x, y})",
            ),
            *("all({x, 1})", "a, = {x}\nreturn a", "len({x, y})", "[v for v in {x}]"),
            why=_WHICH,
        ),
        row("iteration", _P, "list({x, y})", "[v for v in {x, 1}]", why=_ORDER),
        row("repr", _D, "repr({x})", "str(set([x]))", why=_WHICH),
    ]


def _frozensets() -> list[Operation]:
    def row(name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
        return Operation("frozenset", name, treatment, cases, why)

    return [
        row(
            "frozenset",
            _D,
            *(
                "len(frozenset([x, y]))",
                "frozenset([x]) == {1}",
                "frozenset(x)",
                "frozenset([x], 1)",
            ),
            *(
                "frozenset({x}) == frozenset([5])",
                "type(frozenset([x])) is frozenset",
                "frozenset([x])",
            ),
            why=_WHICH,
        ),
        row("copy", _D, "frozenset([x]).copy() == {1}", why=_WHICH),
        row(
            "difference",
            _D,
            "frozenset([1, 2]).difference([x])",
            "frozenset([x]) - {1}",
            why=_WHICH,
        ),
        row(
            "intersection",
            _D,
            "frozenset([1]).intersection([x])",
            "frozenset([x]) & {1}",
            why=_WHICH,
        ),
        row(
            "isdisjoint",
            _D,
            "frozenset([1, 2]).isdisjoint([x])",
            "frozenset([x]).isdisjoint({1})",
            why=_WHICH,
        ),
        row("issubset", _D, "frozenset([1]).issubset([x])", "frozenset([x]) <= {1, 2}", why=_WHICH),
        row(
            "issuperset",
            _D,
            "frozenset([1, 2]).issuperset([x])",
            "frozenset([x]) >= {1}",
            why=_WHICH,
        ),
        row(
            "symmetric_difference",
            _D,
            *("sorted(frozenset([1]).symmetric_difference([x]))", "frozenset([x]) ^ {1}"),
            why=_WHICH,
        ),
        row(
            "union",
            _D,
            "sorted(frozenset([1, 2]).union([x]))",
            "len(frozenset([x]) | {1})",
            why=_WHICH,
        ),
        row("in", _M, "x in frozenset([1, 2])", why=_WHICH),
        row("in", _D, "1 in frozenset([x])", "frozenset([1]).__contains__(x)", why=_WHICH),
        row(
            "hash",
            _P,
            "hash(frozenset([x])) == hash(frozenset([1]))",
            "{frozenset([x]): 1}",
            why="hashing",
        ),
    ]
