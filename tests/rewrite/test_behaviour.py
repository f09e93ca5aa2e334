"""Rewritten programs do what plain ones do: results, order of evaluation, exceptions."""

import sys

import pytest

TRACER = '''
class Traced:
    """Logs every operation on it; operations give new traced values."""
    def __init__(self, name): self.name = name
    def __repr__(self): return self.name
    def _do(self, what, *others):
        log.append((self.name, what, *map(repr, others)))
        return Traced(f"{self.name}.{what}")
    def __call__(self, *args, **kwargs): return self._do("call", *args, *kwargs.items())
    def __getitem__(self, i): return self._do("get", i)
    def __setitem__(self, i, v): self._do("set", i, v)
    def __delitem__(self, i): self._do("del", i)
    def __contains__(self, x): self._do("contains", x); return False
    def __bool__(self): self._do("bool"); return True
    def __lt__(self, o): return self._do("lt", o)
    def __mod__(self, o): return self._do("mod", o)
    def __imod__(self, o): return self._do("imod", o)
    def __getattr__(self, n): log.append((self.name, n)); return Traced(f"{self.name}.{n}")
    def __iter__(self): log.append((self.name, "iter")); return iter([1, 2])
def v(name):
    log.append(name)
    return Traced(name)
a, b, c, d = map(Traced, "abcd")
'''

ORDER = [
    "v('f')(v('x'), k=v('y'))",
    "v('f').m(v('x'))(v('y'))",
    "v('f')(*v('x'), v('y'), k=v('z'))",
    "v('a')[v('i')]",
    "v('a')[v('i'):v('j'):v('k')]",
    "v('a')[v('i'):, v('j')]",
    "v('a')[v('i')] = v('x')",
    "v('a')[v('i')] += v('x')",
    "v('a')[v('i')] %= v('x')",
    "v('a')[v('i'):v('j')] = v('x')",
    "del v('a')[v('i')], v('b')[v('j')]",
    "v('a')[v('i')], v('b')[v('j')] = v('x')",
    "v('a')[v('i')] = v('b')[v('j')] = v('x')",
    "for v('a')[v('i')] in v('x'): log.append('body')",
    "v('x') in v('c')",
    "v('x') not in v('c')",
    "not v('x') in v('c')",
    "v('x') is v('y')",
    "v('a') is not v('b')",
    "not v('a')",
    "log.append(not (v('a') and v('b')))",
    "v('a') < v('b') < v('c')",
    "a < b is c",
    "a is a < c",
    "(lambda p, q, r: p < q is r)(v('x'), v('y'), v('z'))",
    "(lambda p, q, r: log.append((p is q is not r, q in r is p)))(a, a, c)",
    "v('a') % v('b')",
    "f'{v(1)}'",
    "f'a{v(1)}b{v(2)!r:>{v(3)}}{v(4)!a}{v(5)=}'",
    "f'{v(1):{v(2)}.{v(3)}}-{v(4)}'",
    "log.append(f'x{3:0{2 + 2}}y{{}}' f'{4}')",
    "a %= v('b')",
    "x = not a and not b or not c",
    "[v('x')[i] for i in v('y') if not v('z') if i in v('w')]",
    "{v('k')[i]: v('e')(i) for i in v('y')}",
    "v('a').b.c[v('i')].d(v('x')).e",
    "v('a')[(y := v('i'))](y)",
]


@pytest.mark.parametrize("statement", ORDER)
def test_operands_are_evaluated_once_and_in_order(agree, statement):
    log = agree(TRACER + statement)
    assert log


@pytest.mark.parametrize("statement", ORDER)
def test_order_is_kept_inside_functions_and_classes(agree, statement):
    agree(TRACER + f"def f(a, b, c):\n {statement}\nf(a, b, c)\nclass C:\n {statement}\n")


PROGRAMS = {
    "zero-argument super and __class__": """
        class A:
            def m(self, x): return [x]
            @classmethod
            def k(cls, x): return cls, x
        class B(A):
            def m(self, x): return super().m(x) + super(B, self).m(x)[0:x]
            @classmethod
            def k(cls, x): return super().k(x)[1], __class__ is B
        log.append((B().m(1), B.k(2)))
    """,
    "private names": """
        class _Priv:
            __table = {1: "x"}
            def __get(self, key): return self.__table[key]
            def get(self, key): return self.__get(key), key in self.__table
        log.append(_Priv().get(1))
    """,
    "locals, vars, dir and eval see the calling frame": """
        def f(a, b):
            c = a
            log.append(sorted(locals()))
            log.append((sorted(vars()), sorted(dir()), eval("a + b"), eval("c", None, {"c": 5})))
            exec("log.append(a)")
        f(1, 2)
        log.append("f" in globals())
    """,
    "namespaces stay clean": """
        class C:
            x = [1, 2]
            y = [x[i] for i in range(len(x))] if False else x[len(x) - 1]
            z = not y
        log.append([n for n in vars(C) if not n.startswith("__")])
        log.append([n for n in globals() if "pef" in n])
    """,
    "generators and send": """
        def g(xs, i):
            got = yield xs[i]
            while got not in (None, 0):
                got = yield not got, xs[got - 1]
            return (yield from h(xs[i:]))
        def h(xs):
            yield len(xs)
            return xs[(yield "inside")]
        it = g([1, 2, 3], 0)
        log += [next(it), it.send(2), it.send(0), next(it)]
        try: it.send(1)
        except StopIteration as stop: log.append(stop.value)
    """,
    "coroutines": """
        class Wait:
            def __init__(self, v): self.v = v
            def __await__(self):
                yield self.v
                return self.v
        class Items:
            def __init__(self, n): self.n = n
            def __aiter__(self): return self
            async def __anext__(self):
                if not self.n: raise StopAsyncIteration
                self.n -= 1
                return await Wait(self.n)
            async def __aenter__(self): return self
            async def __aexit__(self, *error): log.append(error[0])
        async def main(d, k):
            async with Items(2) as items:
                d[await Wait(k)] = [x async for x in items if x not in d]
            async for x in Items(2): d[x] = await Wait(d[k][0])
            return d
        task = main({}, 7)
        try:
            while True: log.append(task.send(None))
        except StopIteration as stop: log.append(stop.value)
    """,
    "nonlocal and global": """
        count = 0
        def outer(n):
            total = [0][n:] or [0]
            def step(i):
                nonlocal total
                global count
                total = total + [i]; count += i
                return total[i]
            return [step(i) for i in range(n)], total
        log += [outer(3), count]
    """,
    "walrus": """
        data = {"a": 1, "b": 2}
        def f(key):
            if (value := data[key]) in data.values() and not (w := value - 1):
                return value, w
            return [y := 1, y ** 2, [z for x in "ab" if (z := data[x]) is not None], z]
        log += [f("a"), f("b")]
    """,
    "decorators": """
        def keep(*names):
            def mark(f): f.names = names; return f
            return mark
        table = [keep]
        @table[0]("x", *"yz")
        @(lambda f: f)
        def f(x, *, y=table[0 - 1]): return x
        @keep(f(1))
        class C: pass
        log += [f.names, C.names, f(2)]
    """,
    "match": """
        class P:
            __match_args__ = ("x", "y")
            def __init__(self, x, y): self.x, self.y = x, y
        def f(v):
            match v:
                case True: return "true"
                case False: return "false"
                case None: return "none"
                case 0 | 1: return "bit"
                case [True, *rest] if not rest: return "just true"
                case {"k": False, **more}: return more
                case P(x=True) | P(True, _): return "true point"
                case P(x, y) if x is y: return x
                case str() as s: return s[len(s) - 1:]
                case _: return "other"
        values = [True, False, None, 0, 1, 1.0, [True], [True, 1], [1], {"k": False, "l": 1}]
        values += [{"k": 0}, P(True, 0), P(1, 1), P(1, 2), "text", 2]
        log += map(f, values)
    """,
    "formatting": """
        class C:
            def __rmod__(self, other): return "rmod " + other
            def __imod__(self, other): return "imod"
            def __str__(self): return "C"
        c, n, k = C(), 17, 5
        log += ["%s and %d" % (c, n), "%5.2f%%" % n, b"%x" % n, n % k, -n % k, "%(a)s" % {"a": c}]
        log += [divmod(n, k), "x" % (), n % 2.5]
        s = "%s"; s %= n; c %= k
        log += [s, c, f"{n % k:>{k}} {n!r} {not n} {[n][n - 17]=}"]
    """,
    "recursion and mutual recursion": """
        def even(n): return True if n == 0 else odd(n - 1)
        def odd(n): return not even(n) if n > 0 else False
        def fact(n): return n and n * fact(n - 1) or 1
        log += [even(10), fact(20)]
    """,
    "exception groups and finally": """
        def f(d, k):
            try:
                return d[k]
            except (KeyError, TypeError) as e:
                log.append(type(e).__name__)
                raise ValueError(k) from e
            finally:
                log.append(k in d)
        for k in (1, 2):
            try: log.append(f({1: 2}, k))
            except ValueError as e: log.append((str(e), repr(e.__cause__)))
    """,
    "containers": """
        xs = list(range(10))
        i, j, k = 2, 8, 2
        log += [xs[i:j:k], xs[:j], xs[i:], xs[::-k], xs[i], xs[-i]]
        xs[i:j] = [0]; del xs[-i], xs[:i]; xs[0] += 5; xs[len(xs) - 1] -= 1
        log.append(list(xs))
        d = {}
        d[i, j] = d[i] = 1; d[i] <<= 4
        log += [d, (i, j) in d, i not in d, 1 in [], 1 in {1, 2}, "a" in "cat", [] is [], xs is xs]
        class Grid:
            def __getitem__(self, index): return index
        g = Grid()
        log += [g[i:j, k], g[i, ...], g[i:j:k], g[()], g[:], g[i:j, :]]
        log.append(repr(list[int][i] if False else dict[str, i and int]))
    """,
    "comprehension scopes": """
        class C:
            xs = [3, 1]
            ys = [x for x in xs]
            zs = [[x + y for y in range(x)] for x in sorted(xs)]
            def f(self, n=len(xs)): return {x: [x is y for y in self.xs] for x in self.xs[:n]}
        log += [C.ys, C.zs, C().f()]
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_ends_the_same(agree, name):
    import textwrap

    log = agree(textwrap.dedent(PROGRAMS[name]))
    assert isinstance(log, list), log
    assert log


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters are new in 3.12")
def test_generic_functions_and_classes_end_the_same(agree):
    source = """
type Pair[T] = tuple[T, T]
def first[T: (int, str)](xs: list[T], i: int = 0) -> T: return xs[i]
class Box[T](dict[str, T]):
    def put[K](self, key: K, *values: T): self[key] = values[len(values) - 1]
b = Box(); b.put("a", 1, 2)
log += [first([1, 2]), b, repr(Pair.__value__), first.__type_params__[0].__constraints__]
"""
    assert isinstance(agree(source), list)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is new in 3.11")
def test_exception_groups_end_the_same(agree):
    source = """
def f(errors, n):
    try:
        raise ExceptionGroup("many", errors[:n])
    except* KeyError as group:
        log.append(len(group.exceptions) not in errors)
    except* (ValueError if n is not None else TypeError):
        log.append("value")
f([KeyError(1), ValueError(2), KeyError(3)], 3)
"""
    assert agree(source) == [True, "value"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="nested quotes are new in 3.12")
def test_nested_f_strings_end_the_same(agree):
    source = """d = {"a": 1}; k = "a"; log.append(f"{d[k]:{f'{len(d)}'}} {f"{d["a"] % len(d)}"}")"""
    assert isinstance(agree(source), list)


def test_recursion_limit_is_reached_at_the_same_depth(agree):
    source = """
import sys
class C:
    depth = 0
    def down(self, items, i):
        C.depth += 1
        return self.down(items, items[i] + 0)
sys.setrecursionlimit(sys.getrecursionlimit() - 100)
try: C().down([0], 0)
except RecursionError: log.append(C.depth)
sys.setrecursionlimit(sys.getrecursionlimit() + 100)
"""
    [depth] = agree(source)
    assert depth > 100


def test_builtins_of_a_restricted_namespace_are_still_needed(run_both):
    """`exec` with empty builtins never worked for names; rewritten code is no exception."""
    plain, rewritten = run_both("exec('x = 1 + 1', {'__builtins__': {}}, log.append({}) or {})")
    assert plain["log"] == rewritten["log"]
