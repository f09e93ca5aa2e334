"""Rows of `str`: its operators and methods. What makes text from values is in `formatting`."""

from __future__ import annotations

from pef.models.table.rows import Operation, Treatment

_M, _D, _P = Treatment.MODELLED, Treatment.DECIDED, Treatment.PINNED

_END = "which end a bound counts from"
_PRESENT = "whether it is there"
_MORE = "whether there is one more"
_READ = "C code reads the text"


def rows() -> tuple[Operation, ...]:
    """All rows, in the order of the documentation."""
    return (
        *_operators(),
        *_positions(),
        *_searching(),
        *_affixes(),
        *_splitting(),
        *_trimming(),
        *_casing(),
        *_questions(),
        *_padding(),
        *_making(),
        *_sequences(),
        *_plumbing(),
    )


def _row(name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
    return Operation("str", name, treatment, cases, why)


def _compared(name: str, sign: str) -> Operation:
    return _row(
        f"__{name}__",
        _M,
        *(f"s {sign} t", f"s {sign} 'ab'", f"'ab' {sign} s", f"s {sign} ''", f"s {sign} s"),
        *(f"s[:2] {sign} 'a'", f"s {sign} 'a\\U0001f600'", f"s {sign} '\\ud800'"),
        *(f"s.__{name}__(t)", f"s.__{name}__(5)", f"str.__{name}__(s, 'b')", f"'b'.__{name}__(s)"),
        *(f"s {sign} 5", f"s {sign} b'ab'", f"s {sign} None"),
    )


def _operators() -> list[Operation]:
    comparisons = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
    return [
        *(_compared(name, sign) for name, sign in comparisons.items()),
        _row(
            "__add__",
            _M,
            *("s + t", "s + 'x'", "'x' + s", "s + '' + t", "s + s", "s += 'x'\nreturn s"),
            *("s.__add__(t)", "'x'.__add__(s)", "str.__add__(s, t)", "s.__add__(5)"),
            *("s + 5", "5 + s", "s + b'x'", "s + None", "s + [1]"),
        ),
        _row(
            "__mul__",
            _D,
            *("s * 3", "s * 0", "s * -1", "3 * s", "s * (x % 4)", "'ab' * (x % 6)", "s * p"),
            *("(x % 4) * 'ab'", "'ab' * (x % 20)", "s *= 2\nreturn s", "s.__mul__(2)", "s * True"),
            *("s * 1.5", "s * t", "s * None", "[1] * s", "s.__mul__('a')", "s * 2**63"),
            why="how many times",
        ),
        _row("__rmul__", _D, "s.__rmul__(2)", "'ab'.__rmul__(x % 3)", why="how many times"),
        _row(
            "__contains__",
            _M,
            *("'a' in s", "s in 'abcab'", "s in t", "'' in s", "'ab' not in s", "s[1:2] in 'abc'"),
            *("'\\U0001f600' in s", "s in s + 'x'", "s.__contains__('a')", "s.__contains__(t)"),
            *("'abc'.__contains__(s)", "str.__contains__(s, 'a')"),
        ),
        _row("__contains__", _D, "5 in s", "None in s", "b'a' in s", "x in s", why="nothing"),
        _row("__len__", _M, "len(s)", "len(s + 'x')", "s.__len__()", "str.__len__(s)"),
        _row("__len__", _D, "bool(s)", "not s", "1 if s else 2", "s or t", why="if it is empty"),
        _row("__hash__", _P, "hash(s)", "s.__hash__()", why=_READ),
        _row("__str__", _M, "str(s)", "s.__str__()", "str(str(s) + 'x')"),
    ]


def _positions() -> list[Operation]:
    plain = ("s[1:]", "s[:-1]", "s[-3:]", "s[1:3]", "s[:]", "s[2:1]", "s[-2:-5]", "s[0:100]")
    wrong = ("s[1.5]", "s['a']", "s[None]", "s['a':]", "s[:1.5]", "s[::'a']", "s[::0]", "s[(1, 2)]")
    return [
        _row(
            "__getitem__",
            _D,
            *("s[0]", "s[-1]", "s[3]", "s[x]", "s[p]", "s[x % 3]", "s[-x]", "s[len(s) - 1]"),
            *("s[0] + s[-1]", "s[0] == 'a'", "'abc'[x]", "'abc'[x - 1]", "s.__getitem__(0)"),
            *("(s + t)[1]", "s[1:][0]", "str.__getitem__(s, 1)", "s[2**70]", "s[True]", *wrong),
            why="whether there is such a character",
        ),
        _row("__getitem__", _M, *plain, "s[1:][1:]", "s[slice(1, 3)]", "s.__getitem__(slice(2))"),
        _row(
            "__getitem__",
            _D,
            *("s[x:]", "s[:x]", "s[x:y]", "s[-x:]", "s[x:x + 2]", "s[p:]", "s[s.find('a'):]"),
            *("s[2**70:]", "s[:-2**70]", "s[x:2**70]"),
            why=_END,
        ),
        _row(
            "__getitem__",
            _D,
            *("s[::2]", "s[::-1]", "s[1::2]", "s[::-2]", "s[3:0:-1]", "s[-1:0:-1]", "s[-2::-1]"),
            *("s[:2:-1]", "s[:-3:-1]", "s[5:1:-2]", "s[1:6:3]", "s[::x]", "s[x::-1]", "s[:x:-1]"),
            *("s[::3]", "s[::1]", "s[::-2**70]", "s == s[::-1]"),
            why=_MORE,
        ),
        _row(
            "__iter__",
            _D,
            *("[c for c in s]", "[ord(c) for c in s]", "''.join(c + '-' for c in s)"),
            *("a, b = s\nreturn b + a", "it = iter(s)\nreturn next(it, None), next(it, None)"),
            *("for c in s:\n    if c == 'z':\n        return True\nreturn False", "next(iter(s))"),
            *("[c for c in s.__iter__()]", "dict(enumerate(s))", "a, *b = s\nreturn b"),
            why=_MORE,
        ),
    ]


def _bounded(name: str) -> tuple[str, ...]:
    return (
        *(f"s.{name}('a', 1)", f"s.{name}('a', 1, 3)", f"s.{name}('a', -2)", f"s.{name}('', 1)"),
        *(f"s.{name}('a', None, -1)", f"s.{name}('a', -9, 9)", f"s.{name}('', 3, 1)"),
        *(f"s.{name}(t, 1, None)", f"'abcab'.{name}('a', x)", f"'abcab'.{name}('b', 0, x)"),
        *(f"s.{name}('a', x)", f"s.{name}('a', 0, x)", f"s.{name}('b', p)", f"s.{name}('', 2**70)"),
        *(f"s.{name}('', -2**70)", f"'abc'.{name}('', x, y)"),
    )


def _misused(name: str) -> tuple[str, ...]:
    return (
        *(f"s.{name}()", f"s.{name}(5)", f"s.{name}(None)", f"s.{name}(b'a')", f"s.{name}(x)"),
        *(f"s.{name}('a', 'b')", f"s.{name}('a', 1.5)", f"s.{name}('a', 0, 1, 2)"),
        *(f"s.{name}(sub='a')", f"'abc'.{name}(x)"),
    )


def _searching() -> list[Operation]:
    found: list[Operation] = []
    for name in ("find", "rfind"):
        simple = (
            *(f"s.{name}('a')", f"s.{name}('ab')", f"s.{name}('')", f"s.{name}(t)"),
            *(f"'abcab'.{name}(s)", f"str.{name}(s, 'a')", f"(s + 'a').{name}('a')"),
            *(f"s.{name}('\\U0001f600')", f"s.{name}('aa')", f"s.{name}(s)"),
        )
        found.append(_row(name, _M, *simple))
        found.append(_row(name, _D, *_bounded(name), *_misused(name), why=_END))
    for name in ("index", "rindex"):
        cases = (f"s.{name}('a')", f"s.{name}(t)", f"'abcab'.{name}(s)", f"s.{name}('')")
        found.append(_row(name, _D, *cases, *_bounded(name), *_misused(name), why=_PRESENT))
    counted = (
        *("s.count('a')", "s.count('aa')", "s.count('')", "s.count(t)", "'aabaa'.count(s)"),
        *("str.count(s, 'ab')", "(s + 'a').count('a')"),
    )
    found.append(_row("count", _D, *counted, *_bounded("count"), *_misused("count"), why=_MORE))
    return found


def _affixes() -> list[Operation]:
    found: list[Operation] = []
    for name in ("startswith", "endswith"):
        simple = (
            *(f"s.{name}('ab')", f"s.{name}(t)", f"'abcab'.{name}(s)", f"s.{name}('')"),
            *(f"s.{name}(('a', 'bc'))", f"s.{name}((t, 'b'))", f"s.{name}(())"),
            *(f"'abc'.{name}((s, t))", f"str.{name}(s, 'a')", f"s.{name}(s)"),
        )
        found.append(_row(name, _M, *simple))
        tuples = (
            *(f"s.{name}(('a', 'b'), 1)", f"s.{name}(('', 'b'), 4, 2)"),
            *(f"s.{name}(('a', 5))", f"s.{name}((5, 'a'))", f"s.{name}(['a'])"),
        )
        found.append(_row(name, _D, *_bounded(name), *tuples, *_misused(name), why=_END))
    for name in ("removeprefix", "removesuffix"):
        cases: tuple[str, ...] = (
            *(f"s.{name}('ab')", f"s.{name}(t)", f"'abcab'.{name}(s)", f"s.{name}('')"),
            *(f"str.{name}(s, 'a')", f"s.{name}(5)", f"s.{name}()", f"s.{name}(('a',))"),
        )
        found.append(_row(name, _D, *cases, why=_PRESENT))
    return found


def _splitting() -> list[Operation]:
    found: list[Operation] = []
    for name in ("split", "rsplit"):
        cases: tuple[str, ...] = (
            *(f"s.{name}(',')", f"s.{name}('ab')", f"s.{name}(t)", f"'a,b,c'.{name}(s)"),
            *(f"s.{name}(',', 1)", f"s.{name}(',', 0)", f"s.{name}(',', -1)", f"s.{name}(',', x)"),
            *(f"s.{name}(sep=';', maxsplit=1)", f"s.{name}(',', maxsplit=2)", f"s.{name}()"),
            *(f"s.{name}(None, 1)", f"s.{name}(None, 0)", f"s.{name}(None, x)", f"s.{name}('')"),
            *(f"s.{name}(maxsplit=1)", f"'a b c'.{name}(None, x)", f"' a b  c '.{name}(None, x)"),
            *(
                f"s.{name}(5)",
                f"s.{name}(',', 'a')",
                f"s.{name}(',', None)",
                f"s.{name}(',', 1, 2)",
            ),
            *(f"s.{name}(',', 2**70)", f"'a,b'.{name}(',', x)", f"str.{name}(s, 'a')"),
            *(f"s.{name}('a', p)", f"s.{name}(b',')", f"s.{name}(x=1)"),
        )
        found.append(_row(name, _D, *cases, why="whether there is one more separator"))
    for name in ("partition", "rpartition"):
        cases = (
            *(f"s.{name}('=')", f"s.{name}('ab')", f"s.{name}(t)", f"'a=b=c'.{name}(s)"),
            *(f"s.{name}('')", f"s.{name}(5)", f"s.{name}()", f"str.{name}(s, '=')"),
        )
        found.append(_row(name, _D, *cases, why=_PRESENT))
    lines = (
        *("s.splitlines()", "s.splitlines(True)", "s.splitlines(keepends=True)", "s.splitlines(0)"),
        *("s.splitlines(p)", "'a\\nb'.splitlines(p)", "('a\\r\\n' + s).splitlines(True)"),
        *("s.splitlines('x')", "s.splitlines(1.5)", "s.splitlines(1, 2)", "str.splitlines(s)"),
    )
    found.append(_row("splitlines", _D, *lines, why="where the lines end"))
    return found


def _trimming() -> list[Operation]:
    found: list[Operation] = []
    for name in ("strip", "lstrip", "rstrip"):
        cases: tuple[str, ...] = (
            *(f"s.{name}()", f"s.{name}(None)", f"s.{name}('ab')", f"s.{name}('')"),
            *(f"s.{name}('\\U0001f600 ')", f"s.{name}().{name}('-')", f"str.{name}(s)"),
            *(f"s.{name}(5)", f"s.{name}(b'a')", f"s.{name}('a', 'b')", f"s.{name}(chars='a')"),
            f"s.{name}() == 'x'",
        )
        found.append(_row(name, _M, *cases))
        symbolic = (f"s.{name}(t)", f"'aabcbaa'.{name}(s)", f"s.{name}(s)")
        found.append(_row(name, _D, *symbolic, why="whether a character is in the symbolic set"))
    return found


def _casing() -> list[Operation]:
    found: list[Operation] = []
    for name in ("upper", "lower", "casefold", "swapcase", "capitalize", "title"):
        treatment, why = (_D, "whether there is one more word") if name == "title" else (_M, "")
        cases: tuple[str, ...] = (
            *(f"s.{name}()", f"s.{name}() == 'AB'", f"(s + 'aB').{name}()", f"str.{name}(s)"),
            *(f"('ß' + s).{name}()", f"('\\u0130' + s).{name}()", f"('ab\\u03a3' + s).{name}()"),
            *(f"(s + '\\u03a3').{name}()", f"(s + '\\u03a3.' + t).{name}()", f"s[0].{name}()"),
            *(f"('\\u01c6' + s).{name}()", f"(s + '\\ufb03').{name}()", f"s.{name}(1)"),
            *(f'(s + "\'s it").{name}()', f"s.{name}(x=1)", f"s.{name}().{name}()"),
        )
        found.append(_row(name, treatment, *cases, why=why))
    return found


def _questions() -> list[Operation]:
    names = "alnum alpha ascii decimal digit identifier lower numeric printable space title upper"
    found: list[Operation] = []
    for name in (f"is{each}" for each in names.split()):
        cases: tuple[str, ...] = (
            *(f"s.{name}()", f"(s + t).{name}()", f"s[1:].{name}()", f"('aB' + s).{name}()"),
            *(f"(s + '\\u0660').{name}()", f"('\\u01c5' + s).{name}()", f"str.{name}(s)"),
            *(f"('A' + s + ' B').{name}()", f"(' ' + s).{name}()", f"s.{name}(1)"),
            *(f"(s + '\\U0001d7d8').{name}()", f"('_' + s).{name}()", f"(s + '\\ud800').{name}()"),
            f"1 if s.{name}() else 2",
        )
        found.append(_row(name, _M, *cases))
    return found


def _padding() -> list[Operation]:
    found: list[Operation] = []
    for name in ("ljust", "rjust", "center"):
        cases: tuple[str, ...] = (
            *(f"s.{name}(5)", f"s.{name}(4, '*')", f"s.{name}(0)", f"s.{name}(-3)"),
            *(f"s.{name}(3, t)", f"'ab'.{name}(5, s)", f"s.{name}(x % 12)", f"'ab'.{name}(x % 9)"),
            *(f"s.{name}(4, '\\U0001f600')", f"s.{name}(p)", f"s.{name}(x % 4, t)"),
            *(f"s.{name}('a')", f"s.{name}(3, 'ab')", f"s.{name}(3, '')", f"s.{name}(3, 5)"),
            *(f"s.{name}(3, None)", f"s.{name}()", f"s.{name}(2**70)", f"s.{name}(1.5)"),
            f"str.{name}(s, 3)",
        )
        found.append(_row(name, _D, *cases, why="how much a symbolic width is"))
    zeros = (
        *("s.zfill(5)", "s.zfill(0)", "s.zfill(-1)", "s.zfill(x % 7)", "'-42'.zfill(x % 9)"),
        *("('-' + s).zfill(4)", "('+' + s).zfill(3)", "s.zfill('a')", "s.zfill(2**70)"),
        *("s.zfill()", "str.zfill(s, 4)"),
    )
    found.append(_row("zfill", _D, *zeros, why="how much a symbolic width is"))
    tabs = (
        *("s.expandtabs()", "s.expandtabs(4)", "('a\\tb' + s).expandtabs()", "s.expandtabs(0)"),
        *("(s + '\\tb').expandtabs(3)", "('\\n\\t' + s).expandtabs(tabsize=2)", "s.expandtabs(-1)"),
        *("'a\\tb'.expandtabs(x % 9)", "s.expandtabs(x % 4)", "s.expandtabs('a')"),
        *("s.expandtabs(2**40)", "s.expandtabs(1, 2)", "str.expandtabs(s, 1)"),
    )
    found.append(_row("expandtabs", _D, *tabs, why="whether there is one more tab"))
    return found


def _making() -> list[Operation]:
    joined = (
        *("','.join([s, t])", "s.join(['a', 'b', 'c'])", "s.join([t])", "s.join([])"),
        *("','.join((s, 'x', t))", "''.join(c for c in ('a', s))", "s.join('abc')", "'-'.join(s)"),
        *("s.join(map(str.upper, ['a', 'b']))", "','.join({'k': s})", "str.join(',', [s, t])"),
        *("','.join(s.split(';'))", "','.join([s, 5])", "s.join([1])", "s.join(5)", "s.join()"),
        *(
            "','.join([s, None])",
            "s.join([b'a'])",
            "','.join(iter([s, t]))",
            "s.join(['a', 'b'], 1)",
        ),
        *("','.join(x)", "','.join(reversed([s, t]))"),
    )
    replaced = (
        *(
            "s.replace('ab', 'c')",
            "s.replace('a', 'bc')",
            "s.replace('a', '')",
            "s.replace(t, 'x')",
        ),
        *("s.replace('a', t)", "'abab'.replace(s, 'x')", "'abab'.replace('b', s)"),
        *("s.replace('a', 'b', 1)", "s.replace('a', 'b', 0)", "s.replace('a', 'b', -1)"),
        *("s.replace('a', 'bb', x)", "'aaaa'.replace('a', 'b', x)", "s.replace('aa', 'a')"),
        *(
            "s.replace('', '-')",
            "s.replace('', '-', 2)",
            "s.replace('', '-', 0)",
            "s.replace('', t)",
        ),
        *("s.replace('a', 5)", "s.replace(5, 'a')", "s.replace('a')", "s.replace('a', 'b', 'c')"),
        *("s.replace('a', 'b', 2**70)", "str.replace(s, 'a', 'bb')", "s.replace('a', 'b', x=1)"),
        *("'abc'.replace('', s)", "s.replace('a', 'b', count=1)"),
    )
    translated = (
        *("s.translate({97: 'x'})", "s.translate({97: 98, 98: 97})", "s.translate({97: None})"),
        *("s.translate({97: 'xyz', 98: ''})", "s.translate({97: None, 98: 'yy', 99: 'z'})"),
        *("s.translate(str.maketrans('ab', 'ba'))", "s.translate(str.maketrans('', '', 'ab'))"),
        *("s.translate(str.maketrans({'a': 'bb', 'c': None}))", "s.translate({})"),
        *("s.translate({97: t})", "s.translate({97: x})", "s.translate({97: 1.5})"),
        *("s.translate({97: -1})", "s.translate(5)", "s.translate()", "s.translate('abc')"),
        *("s.translate(['x', 'y'])", "s.translate({'a': 'b'})", "'abcab'.translate({97: s})"),
        *("s.translate({97.0: 'x', None: 'y'})", "s.translate({97: True})"),
    )
    made = (
        *("str.maketrans('a', s)", "str.maketrans('ab', s, 'c')", "str.maketrans({'a': s})"),
        *("str.maketrans(s)", "str.maketrans(5, s)", "s.maketrans('ab', 'cd')"),
        *(
            "'abc'.translate(str.maketrans('ab', s))",
            "str.maketrans('a', 5)",
            "str.maketrans({1: x})",
        ),
    )
    mapped = ("s.replace('a', 'b')", "s.replace(' ', '_')", "s.replace('a', '\\U0001f600')")
    return [
        _row("join", _D, *joined, why="how many items an iterator has"),
        _row("replace", _M, *mapped),
        _row("replace", _D, *replaced, why=_MORE),
        _row("translate", _D, *translated, why="whether there is one more special character"),
        _row("maketrans", _D, *made, why="whether the lengths are equal"),
        _row("maketrans", _P, "str.maketrans(s, t)", why="the keys of the table are plain"),
    ]


def _sequences() -> list[Operation]:
    return [
        _row(
            "__iter__",
            _D,
            *("list(s)", "tuple(s)", "sorted(s)", "sorted(s, reverse=True)", "list(reversed(s))"),
            *("''.join(reversed(s))", "min(s)", "max(s)", "min(s, default='')", "list(zip(s, t))"),
            *("any(c == 'a' for c in s)", "all(c == 'a' for c in s)", "list(enumerate(s))"),
            *(
                "list(map(str.upper, s[:1]))",
                "list(zip(s, 'abc'))",
                "list(filter(None, s))",
            ),
            *("sum(1 for c in s if c == 'a')", "max(s, key=ord)", "sorted(s, key=str.lower)"),
            *(
                "all(map(str.isdigit, s))",
                "list(map(ord, s))",
                "len(list(s))",
                "list(s.split(','))",
            ),
            why=_MORE,
        ),
        _row(
            "__iter__",
            _D,
            "set(s)",
            "frozenset(s)",
            "dict.fromkeys(s)",
            why="which characters are equal",
        ),
        _row("__iter__", _P, "[*s[:2]]", why="a display asks for the length"),
    ]


def _plumbing() -> list[Operation]:
    return [
        _row("__getnewargs__", _P, "s.__getnewargs__()", why=_READ),
        _row("__sizeof__", _P, "s.__sizeof__()", why=_READ),
        _row("__class__", _M, "type(s)", "s.__class__", "isinstance(s, str)", "isinstance(s, int)"),
        _row("__copy__", _M, "import copy\nreturn copy.copy(s), copy.deepcopy([s])"),
    ]
