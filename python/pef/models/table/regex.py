"""Rows of `re`: its functions, the methods of patterns, and matches."""

from __future__ import annotations

from pef.models.table.rows import Operation, Treatment

_D, _P = Treatment.DECIDED, Treatment.PINNED

_MATCHES = "whether it matches"
_EACH = "whether there is one more match, and where the next search starts"
_CHARACTERS = "each character the pattern looks at"
_CHOICE = "whether it matches, and which alternative does"
_TEXT = "the pattern is text, which CPython compiles"


def rows() -> tuple[Operation, ...]:
    """All rows, in the order of the documentation."""
    return (*_functions(), *_methods(), *_matches())


def _row(name: str, *cases: str, why: str, treatment: Treatment = _D) -> Operation:
    """Cases are expressions over `re`, or suites."""
    suites = (case if "\n" in case else f"return {case}" for case in cases)
    return Operation("re", name, treatment, tuple(f"import re\n{suite}" for suite in suites), why)


def _functions() -> list[Operation]:
    return [
        _row("match", *_REGULAR, why=_MATCHES),
        _row("match", *_GROUPS, why=_CHOICE),
        _row("match", *_BACKTRACKING, why=_CHARACTERS),
        Operation("re", "match", _D, _suites(_SINCE_3_11), _CHARACTERS, since=(3, 11)),
        _row(
            "fullmatch",
            *("bool(re.fullmatch('[a-c]+', s))", "bool(re.fullmatch(r'\\w*', s, re.A))"),
            *("(m := re.fullmatch('(a|ab)(c|bcd)(d*)', s)) and m.groups()",),
            *("bool(re.fullmatch(b'[a-c]+', b))", "re.fullmatch('a', b)", "re.fullmatch(b'a', s)"),
            why=_CHOICE,
        ),
        _row(
            "search",
            *(
                "bool(re.search('b', s))",
                r"bool(re.search(r'\d\d', s))",
                "bool(re.search('^b', s))",
            ),
            *(r"bool(re.search(r'\bab\b', s))", r"bool(re.search(r'\Ba\B', s))"),
            *(
                "bool(re.search('(?m)^a$', s))",
                "bool(re.search('b$', s))",
                "bool(re.search('', s))",
            ),
            *(
                r"(m := re.search(r'\d+', s)) and m.span()",
                "(m := re.search('ab', s)) and m.start()",
            ),
            *(r"(m := re.search(r'(\w)=(\w)', s[:4])) and m.groups()",),
            *("(m := re.search(b'[bc]', b)) and m.span()",),
            why=_MATCHES,
        ),
        *_scanning_functions(),
        _row("compile", "bool(re.compile('a+').match(s))", why=_MATCHES),
        _row(
            "compile",
            *("re.compile(s[:1]).pattern", "bool(re.match(t, 'a'))", "bool(re.match(t, s))"),
            why=_TEXT,
            treatment=_P,
        ),
        _row(
            "escape",
            "re.escape(s[:2])",
            "re.escape(b[:2])",
            why="which characters are special",
        ),
    ]


def _scanning_functions() -> list[Operation]:
    return [
        _row(
            "findall",
            *(
                r"re.findall(r'\d+', s[:3])",
                "re.findall('(a)|b', s[:3])",
                "re.findall('(a)(b)?', s[:3])",
            ),
            *(
                "re.findall('a*', s[:3])",
                r"re.findall(r'\b', s[:2])",
                "re.findall('[ab]', s[:3], re.I)",
            ),
            *("re.findall(b'[a-c]+', b[:3])", "re.findall('a', b[:3])"),
            why=_EACH,
        ),
        _row(
            "finditer",
            *(
                "[m.span() for m in re.finditer('ab|b', s[:3])]",
                "[m[0] for m in re.finditer('', s[:3])]",
            ),
            *(r"[m.groups() for m in re.finditer(r'(\w)(-)?', s[:2])]",),
            why=_EACH,
        ),
        _row(
            "sub",
            *(
                r"re.sub(r'\s+', ' ', s[:3])",
                "re.sub('a', '', s[:3], count=1)",
                "re.sub('a*', '-', s[:3])",
            ),
            *(
                r"re.sub('(a)(b)?', r'\2<\g<1>>', s[:3])",
                "re.sub('[ab]', lambda m: m[0] + m[0], s[:3])",
            ),
            *(
                "re.sub('b', lambda m: None, s[:3])",
                "re.sub('b', lambda m: 5, s[:3])",
                "re.sub('a', 5, s[:3])",
            ),
            *(
                r"re.sub('a', r'\1', s[:3])",
                "re.sub(b'[ab]', b'--', b[:3])",
                "re.sub('a', 'x', b[:3])",
            ),
            *("re.sub('a', 'x', s[:3], count=-1)", "re.sub('a', 'x', s[:3], count='x')"),
            why=_EACH,
        ),
        _row(
            "sub",
            *("re.sub('a', s[:3], 'banana')", "re.sub('a', t, s[:3])", "re.sub('a', b'x', s[:3])"),
            why="a template that is symbolic and has a backslash, or is of another type",
            treatment=_P,
        ),
        _row("subn", "re.subn('[ab]', 'c', s[:3])", "re.subn('', '-', s[:3])", why=_EACH),
        _row(
            "split",
            *(
                "re.split('[,;]', s[:3])",
                r"re.split(r'(-)|\s', s[:3])",
                "re.split(',', s[:3], maxsplit=1)",
            ),
            *(
                "re.split('', s[:3])",
                "re.split('a*', s[:3])",
                "re.split(b'a', b[:3])",
                "re.split(',', s[:3], maxsplit=-1)",
            ),
            why=_EACH,
        ),
    ]


def _methods() -> list[Operation]:
    ranges = ("s, 1", "s, 1, 3", "s, -1", "s, 0, 2", "string=s, pos=1", "s, 'a'", "", "5")
    cases = {
        name: tuple(f"bool(re.compile('[a-c]').{name}({range_}))" for range_ in ranges)
        for name in ("match", "fullmatch", "search")
    }
    anchored = (
        r"(m := re.compile(r'^a').search(s, 1)) and m.span()",
        r"(m := re.compile(r'\b\w').search(s, 1)) and m.span()",
        r"(m := re.compile('(?<=a)b').match(s, 1)) and m.span()",
        r"(m := re.compile('a$').search(s, 0, 3)) and (m.span(), m.pos, m.endpos)",
    )
    return [
        *(_row(f"Pattern.{name}", *given, why=_MATCHES) for name, given in cases.items()),
        _row("Pattern.search", *anchored, why=_MATCHES),
        _row(
            "Pattern.match",
            *("bool(re.compile('').match(s, 2, 1))", "re.compile('').findall(s, 2, 1)"),
            *("bool(re.compile('a').match(s, x))", "bool(re.compile('a').search(s, 0, x))"),
            why="positions that are symbolic, or a range that ends before it starts",
            treatment=_P,
        ),
        _row(
            "Pattern.findall",
            *("re.compile('[ab]').findall(s, 1)", "re.compile('[ab]').findall(s, 1, 4)"),
            why=_EACH,
        ),
        _row(
            "Pattern.finditer",
            "[m.span() for m in re.compile('a|$').finditer(s, 1)]",
            why=_EACH,
        ),
        _row("Pattern.sub", "re.compile('a').sub('b', s, 1)", why=_EACH),
        _row("Pattern.subn", "re.compile('a').subn('b', s, count=1)", why=_EACH),
        _row("Pattern.split", "re.compile('a').split(s, 1)", why=_EACH),
        _row(
            "Pattern.scanner",
            "bool(re.compile('a').scanner(s).match())",
            why="an undocumented method",
            treatment=_P,
        ),
    ]


def _matches() -> list[Operation]:
    pattern = r"(?P<first>[a-c])(?P<second>\d)?(-+)?"
    members = {
        "group": ("group()", "group(0)", "group(1)", "group('first', 2)", "group(4)", "group('x')"),
        "__getitem__": ("[1]", "['second']", "[-1]", "[None]", "[True]"),
        "groups": ("groups()", "groups('-')", "groups(default=0)", "groups(1, 2)"),
        "groupdict": ("groupdict()", "groupdict('-')", "groupdict(1, 2)"),
        "start": ("start()", "start(1)", "start(2)", "start(9)", "start(1, 2)"),
        "end": ("end()", "end('first')", "end(3)", "end(x=1)"),
        "span": ("span()", "span(2)", "span('second')", "span('third')"),
        "expand": (r"expand(r'\1-\g<second>')", "expand('x')", r"expand(r'\9')", "expand(5)"),
        "lastindex": ("lastindex",),
        "lastgroup": ("lastgroup",),
        "pos": ("pos", "endpos", "string", "re.pattern"),
        "regs": ("regs",),
        "__class__": ("__class__",),
        "__copy__": ("__copy__() is m", "__deepcopy__({}) is m"),
    }
    found = f"m = re.match(r'{pattern}', s)\nif m is None: return None\n"
    rows = []
    for name, cases in members.items():
        dotted = (case if case.startswith("[") else f".{case}" for case in cases)
        suites = (f"{found}return m{case}" for case in dotted)
        rows.append(_row(f"Match.{name}", *suites, why=_CHOICE))
    others = (
        "isinstance(m, re.Match), type(m) is re.Match",
        "bool(m)",
        "m == m, m != m",
        "len([m])",
    )
    rows.append(_row("Match.__class__", *(f"{found}return {case}" for case in others), why=_CHOICE))
    rows.append(_row("Match.__repr__", f"{found}return repr(m)", why=_CHOICE))
    refused = ("m.pos = 1", "m.other = 1", "del m.string")
    rows.append(_row("Match.__setattr__", *(f"{found}{case}" for case in refused), why=_MATCHES))
    return rows


def _suites(cases: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"import re\nreturn {case}" for case in cases)


_REGULAR = (
    *("bool(re.match('ab', s))", "bool(re.match('a|b', s))", "bool(re.match('', s))"),
    *(r"bool(re.match(r'^(\d{3})-([a-z]{2,4})$', s))", r"bool(re.match(r'\s*\S+\s*\Z', s))"),
    *(
        "bool(re.match('AB', s, re.I))",
        "bool(re.match('k', s, re.I))",
        "bool(re.match('[a-z]', s, re.I))",
    ),
    *(
        r"bool(re.match(r'\w', s, re.A))",
        r"bool(re.match(r'\w\W', s))",
        r"bool(re.match(r'\d\D', s))",
    ),
    *("bool(re.match('.', s))", "bool(re.match('.', s, re.S))", "bool(re.match('(?s:.)a', s))"),
    *(
        "bool(re.match('a # b\\n b', s, re.X))",
        "bool(re.match('[^a]$', s))",
        "bool(re.match('a$', s, re.M))",
    ),
    *(
        "bool(re.match('(?=.*b)a', s))",
        "bool(re.match('(?!ab)a', s))",
        r"bool(re.match(r'a\b', s))",
    ),
    *(
        "bool(re.match('(?i:a)b', s))",
        "bool(re.match('(?:ab){2,}?', s))",
        "bool(re.match('(?!)', s))",
    ),
    *(r"bool(re.match(rb'\w[\x80-\xff]', b))", "bool(re.match(b'A', b, re.I))"),
    *(
        "re.match('a', b)",
        "re.match(b'a', s)",
        "re.match('a', 5 if s else None)",
        "re.match('(', s)",
    ),
    *("re.match('a')", "re.match('a', s, 0, 0)", "re.match(None, s)"),
)

_GROUPS = (
    r"(m := re.match(r'(\d+)-(\d{2})', s[:4])) and m.groups()",
    "(m := re.match('(a|ab)(c|bcd)?', s[:4])) and m.groups()",
    "(m := re.match('(a*?)(a*)(b?)', s[:4])) and m.groups()",
    "(m := re.match('(?:(a)|(b))*', s[:4])) and (m.groups(), m.lastindex)",
    "(m := re.match('(.*)(.*)', s[:4])) and m.groups()",
    "(m := re.match('(.*)-(.*)', s[:4])) and m.groups()",
    "(m := re.match('((a)(b)?)+', s[:4])) and m.regs",
    "(m := re.match('([ab]{1,2}?)b', s[:4])) and m.span(1)",
    "(m := re.match('(a{1,2})$', s[:4])) and m.span(1)",
    "(m := re.match(b'([a-c]+)(.)', b[:4])) and m.groups()",
)

_BACKTRACKING = (
    r"bool(re.match(r'(.)\1', s[:4]))",
    r"bool(re.match(r'(.)\1', s[:4], re.I))",
    r"bool(re.match(r'(a)?(?(1)b|c)', s[:4]))",
    r"(m := re.match(r'(a*)+', s[:4])) and m.groups()",
    r"(m := re.match(r'(?=(a+))a*\1', s[:4])) and m.groups()",
    r"bool(re.match(rb'(.)\1', b[:4], re.I))",
)

_SINCE_3_11 = (
    "bool(re.match('a*+a', s[:4]))",
    "bool(re.match('(?>a|ab)c', s[:4]))",
    "(m := re.match('((?:ab)?+)(a?)', s[:4])) and m.groups()",
)
