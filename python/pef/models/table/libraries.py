"""Rows of `collections` and of the modules whose functions work on containers."""

from __future__ import annotations

from pef.models.table.rows import Operation, Treatment
from pef.records import replace

_M, _D, _P = Treatment.MODELLED, Treatment.DECIDED, Treatment.PINNED

_WHERE = "which position is meant"
_WHICH = "which item is equal"
_KEY = "which key is meant, or none"
_MANY = "how many"


def rows() -> tuple[Operation, ...]:
    """All rows of these modules."""
    return (
        *(*_deques(), *_defaultdicts(), *_counters(), *_ordered_dicts()),
        *(*_itertools(), *_functools(), *_others()),
    )


def _row(
    module: str, type_: str, name: str, treatment: Treatment, cases: tuple[str, ...], why: str
) -> Operation:
    """A row of suites, each after an import of the module."""
    suites = tuple(f"import {module}\n{_suite(case)}" for case in cases)
    return Operation(type_, name, treatment, suites, why)


def _suite(case: str) -> str:
    return case if "return " in case else f"return {case}"


def _deques() -> list[Operation]:
    def row(name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
        return _row("collections", "deque", name, treatment, cases, why)

    def after(change: str, items: str = "[1, 2, 3]") -> str:
        return f"d = collections.deque({items})\nr = {change}\nreturn list(d), r"

    return [
        row(
            "deque",
            _D,
            *("list(collections.deque([x, y], 1))", "list(collections.deque([1, 2], x % 4))"),
            *("collections.deque([1], maxlen=x % 3).maxlen", "collections.deque(x)"),
            *(
                "collections.deque([1], 'a')",
                "collections.deque([x], -1)",
                "len(collections.deque([x]))",
            ),
            "collections.deque([1], -x if x > 0 else 0).maxlen",
            why=_MANY,
        ),
        row(
            "append",
            _M,
            after("d.append(x)"),
            after("d.appendleft(x)"),
            after("d.append(x)", "[1], 1"),
        ),
        row("clear", _M, after("d.clear()", "[x]")),
        row("copy", _M, after("list(d.copy())", "[x]")),
        row("count", _D, after("d.count(x)"), after("d.count(1)", "[x, y]"), why=_WHICH),
        row(
            "extend",
            _M,
            after("d.extend([x, y])"),
            after("d.extendleft([x, y])"),
            after("d.extend(x)"),
        ),
        row(
            "index",
            _D,
            after("d.index(1, x)"),
            after("d.index(1, x, y)"),
            why=_WHICH,
        ),
        # The message of 3.10 is empty for a number of more digits than it will print.
        replace(row("index", _D, after("d.index(x)"), why=_WHICH), since=(3, 11)),
        row(
            "insert",
            _D,
            *(
                after("d.insert(x, 5)"),
                after("d.insert(x, 5)", "[1, 2], 3"),
                after("d.insert(x, 1)", "[], 0"),
            ),
            why=_WHERE,
        ),
        row(
            "pop",
            _M,
            after("d.pop()", "[x, y]"),
            after("d.popleft()", "[x, y]"),
            after("d.pop()", "[]"),
        ),
        row("remove", _D, after("d.remove(1)", "[x]"), why=_WHICH),
        replace(row("remove", _D, after("d.remove(x)"), why=_WHICH), since=(3, 11)),
        row("reverse", _M, after("d.reverse()", "[x, y]"), after("list(reversed(d))", "[x, y]")),
        row(
            "rotate",
            _D,
            *(after("d.rotate(x)"), after("d.rotate(x)", "[]"), after("d.rotate()", "[x, y]")),
            after("d.rotate('a')"),
            why=_WHERE,
        ),
        row(
            "[]",
            _D,
            *(after("d[x]"), after("d.__getitem__(x)"), after("d[x]", "[]")),
            "d = collections.deque([1, 2])\nd[x] = y\nreturn list(d)",
            "d = collections.deque([1, 2])\ndel d[x]\nreturn list(d)",
            why=_WHERE,
        ),
        row(
            "operators",
            _D,
            *(
                "list(collections.deque([1]) * (x % 3))",
                "collections.deque([x]) == collections.deque([1])",
            ),
            *(
                "x in collections.deque([1, 2])",
                "list(collections.deque([x]) + collections.deque([y]))",
            ),
            "d = collections.deque([1])\nd *= x % 3\nreturn list(d)",
            why=_MANY,
        ),
    ]


def _defaultdicts() -> list[Operation]:
    def row(name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
        return _row("collections", "defaultdict", name, treatment, cases, why)

    def after(change: str, factory: str = "int") -> str:
        return f"d = collections.defaultdict({factory})\n{change}\nreturn dict(d)"

    return [
        row(
            "[]",
            _D,
            *(
                after("d[x] += 1\nd[y] += 1"),
                after("d[1] = 5\nd[x] += 2"),
                after("d[x].append(y)", "list"),
            ),
            *(
                after("d[x]", "None"),
                after("d[x]\nd[1]", "lambda: 7"),
                after("d[x, y] += 1\nd[1, 2] += 1"),
            ),
            after("d[s] += 1\nd['a'] += 1"),
            why=_KEY,
        ),
        row(
            "defaultdict",
            _D,
            *("dict(collections.defaultdict(int, {x: 1}))", "collections.defaultdict(x)"),
            *(
                "dict(collections.defaultdict(None, [(x, 1), (1, 2)]))",
                "collections.defaultdict(int, x)",
            ),
            "d = collections.defaultdict(int)\nd[x] = 1\nreturn type(d) is collections.defaultdict",
            why=_KEY,
        ),
        row(
            "copy",
            _D,
            after("d[x] = 1\nd = d.copy()\nd[1] += 1"),
            "d = collections.defaultdict(int, {x: 1})\ne = d.copy()\nreturn type(e).__name__, e[5]",
            why=_KEY,
        ),
        row(
            "methods",
            _D,
            *(
                after("d[x] = 1\nd.pop(1, None)"),
                after("d[x] = 1\nd.update({1: 2})"),
                after("d.setdefault(x, 1)"),
            ),
            *(
                after("d[x] = 1\ndel d[1]"),
                after("d[x] = 1\nd |= {1: 3}"),
                after("d[x] = 1\nd = d | {1: 3}"),
            ),
            *(
                after("d[x] = 1\nd = {1: 3} | d"),
                after("d[x] = 1\nd.get(1)"),
                after("d[x] = 1\nd.clear()"),
            ),
            "d = collections.defaultdict(int)\nd[x] = 1\nreturn 5 in d, list(d.items()), len(d)",
            why=_KEY,
        ),
    ]


def _counters() -> list[Operation]:
    def row(name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
        return _row("collections", "Counter", name, treatment, cases, why)

    return [
        row(
            "Counter",
            _D,
            *(
                "dict(collections.Counter([x, y]))",
                "collections.Counter([x])[1]",
                "collections.Counter(x)",
            ),
            *("dict(collections.Counter({x: 2}))", "dict(collections.Counter([1, 1, x]))"),
            *("dict(collections.Counter(a=x))", "dict(collections.Counter([s, 'a']))"),
            why=_KEY,
        ),
        row(
            "most_common",
            _D,
            *(
                "collections.Counter([x, 1, 1]).most_common()",
                "collections.Counter([x, 1, 1]).most_common(1)",
            ),
            why=_KEY,
        ),
        row("elements", _D, "list(collections.Counter([x, 1]).elements())", why=_KEY),
        row(
            "update",
            _D,
            "d = collections.Counter([1])\nd.update([x])\nreturn dict(d)",
            "d = collections.Counter([1])\nd.update({x: 2})\nreturn dict(d)",
            "d = collections.Counter([1])\nd.subtract([x])\nreturn dict(d)",
            "d = collections.Counter([1])\nd[x] += 5\nreturn dict(d)",
            "d = collections.Counter([1])\ndel d[x]\nreturn dict(d)",
            why=_KEY,
        ),
        row(
            "operators",
            _D,
            *("dict(collections.Counter([x]) + collections.Counter([1]))",),
            *("dict(collections.Counter([x]) - collections.Counter([1]))",),
            *("dict(collections.Counter([x]) & collections.Counter([1]))",),
            *("dict(collections.Counter([x]) | collections.Counter([1]))",),
            *(
                "collections.Counter([x]) == collections.Counter([1])",
                "1 in collections.Counter([x])",
            ),
            why=_KEY,
        ),
        row(
            "methods",
            _D,
            *("collections.Counter([x]).get(1, 0)", "sum(collections.Counter([x, y]).values())"),
            *("d = collections.Counter([x])\nreturn d.pop(1, 0), dict(d)",),
            *(
                "dict(collections.Counter([x]).copy())",
                "type(collections.Counter([x]).copy()).__name__",
            ),
            why=_KEY,
        ),
    ]


def _ordered_dicts() -> list[Operation]:
    def row(name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
        return _row("collections", "OrderedDict", name, treatment, cases, why)

    def after(change: str, items: str = "[(1, 2), (3, 4)]") -> str:
        return f"d = collections.OrderedDict({items})\nr = {change}\nreturn list(d.items()), r"

    return [
        row(
            "[]",
            _D,
            "d = collections.OrderedDict()\nd[x] = 1\nd[y] = 2\nreturn list(d)",
            "d = collections.OrderedDict([(1, 2)])\nd[x] = 5\nreturn list(d.items())",
            "d = collections.OrderedDict()\nd[x] = 1\ndel d[5]\nreturn len(d)",
            *(after("d[x]"), after("d[1]", "[(x, y)]"), after("5 in d", "{x: 1}")),
            why=_KEY,
        ),
        row("clear", _M, after("d.clear()", "{x: 1}")),
        row("copy", _D, after("list(d.copy().items())", "{x: 1}"), why=_KEY),
        row("fromkeys", _D, "list(collections.OrderedDict.fromkeys([x, y], 1).items())", why=_KEY),
        row("get", _D, after("d.get(x)"), after("d.get(1, y)", "{x: 1}"), why=_KEY),
        row(
            "items",
            _D,
            after("(1, 2) in d.items()", "{x: 2}"),
            after("list(d.keys())", "{x: 2}"),
            why=_KEY,
        ),
        row("values", _D, after("list(d.values())", "{x: 2, y: 3}"), why=_KEY),
        row(
            "move_to_end",
            _D,
            *(after("d.move_to_end(x)"), after("d.move_to_end(1, last=False)", "{3: 4, x: 2}")),
            after("d.move_to_end(3, last=p)", "[(1, 2), (3, 4), (5, 6)]"),
            why=_KEY,
        ),
        row(
            "pop",
            _D,
            after("d.pop(x)"),
            after("d.pop(x, 5)"),
            after("d.pop(1, 5)", "{x: 2}"),
            why=_KEY,
        ),
        row(
            "popitem",
            _D,
            *(after("d.popitem()", "{x: 1, y: 2}"), after("d.popitem(last=False)", "{x: 1, y: 2}")),
            *(after("d.popitem(p)", "[(1, 2), (3, 4)]"), after("d.popitem()", "[]")),
            why=_KEY,
        ),
        row(
            "setdefault",
            _D,
            after("d.setdefault(x, 5)"),
            after("d.setdefault(1)", "{x: 2}"),
            why=_KEY,
        ),
        row(
            "update",
            _D,
            after("d.update({x: 5})"),
            after("d.update([(1, 5)], a=y)", "{x: 2}"),
            why=_KEY,
        ),
        row(
            "operators",
            _D,
            "d = collections.OrderedDict({x: 1})\nreturn d == collections.OrderedDict({1: 1})",
            "d = collections.OrderedDict({x: 1})\nreturn d == {1: 1}, list((d | {1: 5}).items())",
            "d = collections.OrderedDict({x: 1})\nd |= {1: 5}\nreturn list(d.items())",
            *(after("list(reversed(d))", "{x: 1, y: 2}"), after("[*d]", "{x: 1}")),
            why=_KEY,
        ),
    ]


def _itertools() -> list[Operation]:
    def row(name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
        return _row("itertools", "itertools", name, treatment, cases, why)

    return [
        row("accumulate", _M, "list(itertools.accumulate([x, y], initial=1))"),
        _since_3_12(row("batched", _D, "list(itertools.batched([1, 2, 3], x % 5))", why=_MANY)),
        row(
            "chain",
            _M,
            "list(itertools.chain([x], (y,)))",
            "list(itertools.chain.from_iterable([[x], [y]]))",
        ),
        row(
            "combinations",
            _D,
            *(
                "list(itertools.combinations([1, 2, 3], x % 6 - 1))",
                "list(itertools.combinations([x, y, 1], r=2))",
            ),
            *(
                "list(itertools.permutations([1, 2], x % 5 - 1))",
                "list(itertools.combinations([1], 'a'))",
            ),
            "list(itertools.combinations_with_replacement([1, 2], x % 3))",
            why=_MANY,
        ),
        row("compress", _D, "list(itertools.compress([1, 2], [x, p]))", why="which are true"),
        row("count", _M, "list(itertools.islice(itertools.count(x, y), 3))"),
        row("cycle", _M, "list(itertools.islice(itertools.cycle([x, y]), 3))"),
        row(
            "dropwhile",
            _D,
            *(
                "list(itertools.dropwhile(lambda v: v < 2, [x, y]))",
                "list(itertools.takewhile(abs, [x, y]))",
            ),
            "list(itertools.filterfalse(None, [x, y]))",
            why="which are true",
        ),
        row(
            "groupby",
            _D,
            *("[(k, list(g)) for k, g in itertools.groupby([x, y])]",),
            "[(k, len(list(v))) for k, v in itertools.groupby([x, y, 1], key=lambda v: v % 2)]",
            why=_WHICH,
        ),
        row(
            "islice",
            _D,
            *("list(itertools.islice([1, 2, 3], x))", "list(itertools.islice([1, 2, 3], x, y))"),
            *(
                "list(itertools.islice([1, 2, 3], 0, None, x))",
                "list(itertools.islice([1, 2, 3], x, None))",
            ),
            *(
                "list(itertools.islice([1], x, 'a'))",
                "list(itertools.islice(iter([1, 2, 3]), 1, 3, x))",
            ),
            why="whether there is one more",
        ),
        row(
            "pairwise",
            _M,
            "list(itertools.pairwise([x, y, 1]))",
            "list(itertools.starmap(pow, [(x, 2)]))",
        ),
        row(
            "product",
            _D,
            *(
                "list(itertools.product([1, 2], repeat=x % 3))",
                "list(itertools.product([x], [y, 1]))",
            ),
            why=_MANY,
        ),
        row(
            "repeat",
            _D,
            *("list(itertools.repeat(y, x % 4))", "list(itertools.repeat(1, times=x % 3))"),
            *("next(itertools.repeat(x))", "list(itertools.repeat(1, 'a'))"),
            why="whether there is one more",
        ),
        row("tee", _D, "[list(v) for v in itertools.tee([x], y % 3)]", why=_MANY),
        row("zip_longest", _M, "list(itertools.zip_longest([x], [1, 2], fillvalue=y))"),
    ]


def _since_3_12(row: Operation) -> Operation:
    return replace(row, since=(3, 12))


def _functools() -> list[Operation]:
    def row(name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
        return _row("functools", "functools", name, treatment, cases, why)

    cached = "n = []\n@functools.{how}\ndef h(v, w=0):\n    n.append(1)\n    return v + w\n"
    return [
        row(
            "reduce",
            _M,
            "functools.reduce(lambda a, e: a * e, [x, y], 2)",
            "functools.reduce(max, [])",
        ),
        row(
            "partial",
            _M,
            "functools.partial(divmod, x)(7) if x else 0",
            "functools.partial(int, x)()",
        ),
        row(
            "lru_cache",
            _D,
            cached.format(how="cache") + "return h(x) + h(y) + h(x), len(n)",
            cached.format(how="lru_cache(maxsize=1)") + "return h(x), h(1), h(x), len(n)",
            cached.format(how="lru_cache(typed=True)")
            + "return h(x), h(1), h(1.0), h(v=x), len(n)",
            cached.format(how="lru_cache(maxsize=0)") + "return h(x), h(x), len(n)",
            cached.format(how="cache") + "return h(1), h(x), h(True), h(1.0), len(n)",
            cached.format(how="cache") + "return h([x])",
            why="which of the earlier calls is the same",
        ),
        row(
            "cmp_to_key",
            _D,
            "sorted([x, y], key=functools.cmp_to_key(lambda a, e: e - a))",
            why="which of two is smaller",
        ),
    ]


def _others() -> list[Operation]:
    def row(module: str, name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
        return _row(module, module, name, treatment, cases, why)

    return [
        row(
            "operator",
            "itemgetter",
            _D,
            *("operator.itemgetter(x)([1, 2, 3])", "operator.itemgetter(x, 0)({0: 1, 5: 2})"),
            *("operator.getitem({1: 2}, x)", "a = [1, 2]\noperator.setitem(a, x, 5)\nreturn a"),
            *("a = {1: 2}\noperator.delitem(a, x)\nreturn a", "operator.indexOf([1, 2], x)"),
            *(
                "operator.countOf([1, x], 1)",
                "operator.contains({x: 1}, 5)",
                "operator.concat([x], [y])",
            ),
            why=_KEY,
        ),
        row(
            "heapq",
            "heappush",
            _D,
            "h = []\nfor v in (x, y, 3):\n    heapq.heappush(h, v)\nreturn h, heapq.heappop(h)",
            "h = [x, y]\nheapq.heapify(h)\nreturn heapq.heappushpop(h, 2), heapq.heapreplace(h, 0)",
            *(
                "heapq.nsmallest(2, [x, y, 1])",
                "heapq.nlargest(1, [x, y])",
                "list(heapq.merge([x], [y]))",
            ),
            "heapq.heappop([])",
            why="which of two is smaller",
        ),
        row(
            "bisect",
            "bisect",
            _D,
            *(
                "bisect.bisect([1, 3, 5], x)",
                "bisect.bisect_left([1, 3, 5], x)",
                "bisect.bisect([x, y], 2)",
            ),
            *("bisect.bisect([1, 3, 5], 3, x % 3)", "bisect.bisect_left([1, 3], 2, 0, x % 3)"),
            *("a = [1, 3]\nbisect.insort(a, x)\nreturn a", "bisect.bisect([1], 2, -abs(x) - 1)"),
            "bisect.bisect([3, 1], x, key=lambda v: -v)",
            why="which of two is smaller",
        ),
        row(
            "copy",
            "deepcopy",
            _M,
            *("copy.copy([x, y])", "copy.deepcopy([x, [y]])", "copy.deepcopy((x, {1: y}))"),
            *("copy.copy({1: x})", "copy.deepcopy({1: [x]})"),
        ),
        row(
            "copy",
            "deepcopy",
            _D,
            *("copy.copy({x: 1})", "copy.deepcopy({x: [y]})", "5 in copy.copy({x})"),
            why=_KEY,
        ),
        row(
            "json",
            "dumps",
            _D,
            *("json.dumps([x, True, None])", "json.dumps({'a': x})", "json.dumps({x: 1, 2: 3})"),
            *("json.dumps([x], indent=1)", "json.dumps(p)", "json.dumps([x], sort_keys=True)"),
            *("json.dumps({(x, 1): 2})", "json.dumps({1, x})"),
            why="how it is written",
        ),
    ]
