"""Rows of text made from values and values read from text: `format`, `%`, `int(s)` and the like."""

from __future__ import annotations

from pef.models.table.rows import Operation, Treatment

_M, _D, _P = Treatment.MODELLED, Treatment.DECIDED, Treatment.PINNED

_TYPE = "formatting"

_LIMIT = "whether there are more digits than CPython converts"
_SIGN = "the sign, and how many digits there are where they are grouped"
_QUOTES = "whether quotes suffice"
_SHORTEST = "the shortest decimal of a float that is not whole has no theory"
_TEMPLATE = "a symbolic template is read as it is"


def rows() -> tuple[Operation, ...]:
    """All rows, in the order of the documentation."""
    return (*_str(), *_printed(), *_specified(), *_converted(), *_read())


def _row(owner: str, name: str, treatment: Treatment, *cases: str, why: str = "") -> Operation:
    return Operation(owner, name, treatment, cases, why)


def _str() -> list[Operation]:
    return [
        _row(
            "str",
            "__repr__",
            _D,
            *("repr(s)", "s.__repr__()", "f'{s!r}'", "'%r' % s", "'{!r}'.format(s)", "repr(s + t)"),
            *("repr([s, 1])", "repr((s,))", "str({'k': s})", "repr({1: (s, [])})"),
            why=_QUOTES,
        ),
        _row(
            "str",
            "__format__",
            _M,
            *("f'{s}'", "f'<{s}>{t}'", "format(s)", "format(s, '')", "s.__format__('')"),
            *("f'{s!s}'", "f'{s:5}'", "f'{s:<5}|'", "f'{s:*>6}'", "f'{s:^7}'", "f'{s:.2}'"),
            *("f'{s:-^6.3}'", "format(s, '10s')", "f'{s:05}'", "format(s, '*^4')", "f'{s + t:>3}'"),
            *("format(s, 'd')", "format(s, '+5')", "format(s, '=5')", "format(s, ',')", "f'{s:x}'"),
            *("format(s, 5)", "s.__format__(5)", "s.__format__()", "format(s, '5', 1)"),
            *("f'{s:é>4}'", "str.__format__(s, '>3')", "'abc'.__format__('>5') + s"),
            "f'{s:\\'>3}'",
        ),
        _row(
            "str",
            "__format__",
            _D,
            *("f'{s:{x % 5}}'", "f'{s:>{x % 4}}'", "f'{s:.{x % 3}}'", "f'{\"ab\":{x % 5}}'"),
            *("f'{s:{x % 3}.{y % 3}}'", "f'{5:{x % 4}d}'", "f'{p:{x % 8}}'", "f'{x:{y % 5}}'"),
            "f'{x:0{y % 5}d}'",
            why="how wide",
        ),
        _row(
            "str",
            "format",
            _D,
            *("'{}'.format(s)", "'{} {}'.format(s, t)", "'{1}{0}'.format(s, t)"),
            *("'{:>5}'.format(s)", "'{a}-{b}'.format(a=s, b=x)", "'{{{}}}'.format(s)"),
            *("'{0[0]}'.format([s])", "'{0.real}'.format(x)", "'{:{}}'.format(s, 4)"),
            *("'{:{w}}'.format(s, w=x % 4)", "'{a[k]}'.format(a={'k': s})", "'{!r:>6}'.format(x)"),
            *("'{!s}{!a}'.format(s, t)", "'{} {}'.format(s)", "'{a}'.format(s)"),
            *("'{} {0}'.format(s)", "'{0} {}'.format(s)", "'{'.format(s)", "'}'.format(s)"),
            *("'{!x}'.format(s)", "'{:d}'.format(s)", "'{0.nothing}'.format(s)"),
            *("'{0[5]}'.format([s])", "'{:{:{}}}'.format(s, t, s)", "'{:05d}|{:x}'.format(x, x)"),
            *("'{}'.format([s, x])", "str.format('{}', s)", "'{0[]}'.format(s)"),
            *("'{0.}'.format(s)", "'plain'.format(s)", "''.format(s)"),
            why="what its fields ask",
        ),
        _row("str", "format", _P, "s.format(1, 2)", "(s + '{}').format(5)", why=_TEMPLATE),
        _row(
            "str",
            "format_map",
            _D,
            *("'{a}'.format_map({'a': s})", "'{a!r}{b:>3}'.format_map({'a': x, 'b': s})"),
            *("'{}'.format_map({'a': s})", "'{c}'.format_map({'a': s})"),
            "'{a[0]}'.format_map({'a': [s]})",
            why="what its fields ask",
        ),
        _row("str", "format_map", _P, "s.format_map({'a': 1})", why=_TEMPLATE),
        _row(
            "str",
            "__mod__",
            _D,
            *("'%s' % s", "'%s-%s' % (s, t)", "'%5s|' % s", "'%-5s|' % s", "'%.2s' % s"),
            *("'%5.1s' % s", "'%d' % x", "'%5d|%-5d|' % (x, y)", "'%05d' % x", "'%+d' % x"),
            *("'% d' % x", "'%i%%' % x", "'%x' % x", "'%X' % x", "'%#x' % x", "'%o' % x"),
            *("'%#o' % x", "'%.4d' % x", "'%+06.3d' % x", "'%c' % x", "'%c' % s"),
            *("'%5c' % (x % 128)", "'%d' % p", "'%s' % p", "'%r' % x", "'%a' % s"),
            *("'%*d' % (x % 5, y)", "'%-*d|' % (x % 5 - 2, y)", "'%.*d' % (x % 4, y)"),
            *("'%.*s' % (x % 3, s)", "'%(a)s' % {'a': s}", "'%(a)d %(b)5s' % {'a': x, 'b': s}"),
            *("'%(a)s' % {'b': s}", "'%(a)s' % s", "'%(a' % {'a': s}", "'%(a(b))s' % {'a(b)': s}"),
            *("'%s' % [s, x]", "'%s' % {'a': s}", "'%d' % s", "'%x' % s", "'%f' % s", "'%y' % s"),
            *("'%' % s", "'%s %s' % s", "'%s' % (s, t)", "'plain' % s", "'' % (s,)"),
            *("'%*d' % (s, x)", "'%ld' % x", "'%5%' % s", "'%s' % ()", "'%s'.__mod__(s)"),
            *("'%s'.__mod__((s, t))", "'%99999999999999999999d' % x", "'%d' % f"),
            *("a = '%s!'\na %= s\nreturn a", "'%s=%r' % (s, x)", "'%x' % f", "'%c' % f"),
            "'%s' % None + s",
            why="what its fields ask",
        ),
        _row("str", "__mod__", _P, "s % 5", "s % (1, 2)", "s % {'a': 1}", why=_TEMPLATE),
        _row(
            "str",
            "__rmod__",
            _D,
            *("'%s'.__rmod__('a') is NotImplemented or s", "s.__rmod__(5) is NotImplemented"),
            why="nothing",
        ),
    ]


def _printed() -> list[Operation]:
    return [
        _row(
            _TYPE,
            "str",
            _D,
            *("str(x)", "str(-x)", "str(x)[0]", "len(str(x))", "str(p)", "str(x) + s"),
            *("str([x, p])", "str((x,))", "str({'k': s, 1: x})", "str(ValueError(s))"),
            *("str(ValueError(x, s))", "str(KeyError(s))", "str(ValueError())", "str(object=x)"),
            *("str()", "str(x, 'utf-8')", "str(s, 'utf-8')", "str([])", "str({1, 2})"),
            "a = [x]\na.append(a)\nreturn str(a)",
            why=_LIMIT,
        ),
        _row(
            _TYPE,
            "str of an object",
            _D,
            "class C:\n    def __str__(self):\n        return 'C' + s\n"
            "return str(C()), f'{C()}', '%s' % C()",
            "class C:\n    def __repr__(self):\n        return s\n"
            "return str([C()]), repr(C()), f'{C()!r:>4}'",
            "class C:\n    def __format__(self, spec):\n        return s + spec\n"
            "return f'{C():x}', format(C())",
            "class C:\n    def __str__(self):\n        return x\nreturn str(C())",
            "class C:\n    def __format__(self, spec):\n        return x\nreturn f'{C()}'",
            why="what its methods ask",
        ),
        _row(_TYPE, "repr", _D, "repr(x)", "repr(p)", "repr([x, s])", "repr((p, x))", why=_LIMIT),
        _row(
            _TYPE,
            "ascii",
            _D,
            *("ascii(s)", "ascii(x)", "ascii(p)", "f'{s!a}'", "f'{s!a:>9}'", "ascii(s + 'é')"),
            "ascii([x])",
            why=_LIMIT,
        ),
        _row(_TYPE, "str of a float", _P, "str(f)", "repr(f)", "f'{f}'", "'%s' % f", why=_SHORTEST),
        _row(
            _TYPE,
            "str of a whole float",
            _D,
            *("str(float(x % 9 - 4))", "f'{float(x % 7)!r}'"),
            why=_SIGN,
        ),
        _row(
            _TYPE,
            "hex, oct, bin",
            _D,
            *("hex(x)", "oct(x)", "bin(x)", "hex(p)", "bin(x % 9)", "hex(-x)", "hex(f)", "oct(s)"),
            *("bin()", "hex(x, 1)"),
            why="the sign",
        ),
    ]


def _specified() -> list[Operation]:
    return [
        _row(
            _TYPE,
            "format of int",
            _D,
            *("f'{x}'", "f'{x:d}'", "f'{x:5}'", "f'{x:<5}|'", "f'{x:^6}'", "f'{x:=6}'"),
            *("f'{x:*=6}'", "f'{x:03d}'", "f'{x:+}'", "f'{x: }'", "f'{x:-}'", "f'{x:+05}'"),
            *("f'{x:0>5}'", "f'{x:0<5}'", "f'{x:x}'", "f'{x:X}'", "f'{x:#x}'", "f'{x:#010x}'"),
            *("f'{x:o}'", "f'{x:#o}'", "f'{x:b}'", "f'{x:#b}'", "f'{x:08b}'", "f'{x:#X}'"),
            *("f'{x:n}'", "f'{x % 128:c}'", "f'{x:c}'", "f'{x:5c}|'", "f'{x:,}'", "f'{x:_}'"),
            *("f'{x:_x}'", "f'{x:_b}'", "f'{x:012,}'", "f'{x:+,}'", "f'{x:_X}'", "f'{x!s:>4}'"),
            *("f'{x!r:>4}'", "f'{p}'", "f'{p:5}'", "f'{p:d}'", "f'{x + 1}{y}'", "f'{x:.2d}'"),
            *("f'{x:s}'", "f'{x:,x}'", "f'{x:,_}'", "f'{x:y}'", "f'{x:+c}'", "f'{x:#c}'"),
            *("format(x, 's')", "format(x, 5)", "x.__format__('>4')", "x.__format__(None)"),
            *("f'{p:+}'", "format(x, '5', '6')", "format()", "f'{x:>5}' + f'{x:<5}'", "f'{x=}'"),
            "int.__format__(x, '4')",
            why=_SIGN,
        ),
        _row(
            _TYPE,
            "format of a whole float",
            _D,
            *("f'{float(x % 9 - 4):.2f}'", "f'{float(x % 2000):,.1f}'", "f'{float(x % 99):g}'"),
            *("f'{float(x % 9):06.1f}'", "f'{float(x % 5):+}'", "f'{float(x % 9):.0%}'"),
            *("f'{x % 7:.1f}'", "'%.2f' % float(x % 99)", "'%06.1f' % (x % 9 - 4)"),
            *("'%g' % (x % 50)", "f'{x % 9:.3}'", "f'{x % 9:f}'", "f'{x % 9:%}'"),
            *("f'{float(x % 9):s}'", "f'{float(x % 9):d}'"),
            why=_SIGN,
        ),
        _row(
            _TYPE,
            "format of a float",
            _P,
            *("f'{f:.2f}'", "f'{f:>10}'", "f'{f:e}'", "'%05.1f' % f"),
            "f'{f:z.1f}' if 0 else f'{f:g}'",
            why=_SHORTEST,
        ),
    ]


def _converted() -> list[Operation]:
    return [
        _row(
            _TYPE,
            "chr",
            _D,
            *("chr(x)", "chr(x % 128)", "chr(p)", "chr(x) == 'A'", "chr(x % 26 + 97) + s"),
            *("chr(f)", "chr(s)", "chr(x, 1)", "chr()", "chr(x + 0x10ffff)"),
            why="whether there is such a character",
        ),
        _row(
            _TYPE,
            "ord",
            _D,
            *("ord(s)", "ord(b)", "ord(s[0])", "ord(s) - 48", "chr(ord(s) + 1)", "ord(s[:1])"),
            *("ord(x)", "ord()", "ord(s, t)", "ord('ab' + s)", "ord(f)"),
            why="whether it is one character",
        ),
    ]


def _read() -> list[Operation]:
    return [
        _row(
            _TYPE,
            "int of text",
            _D,
            *("int(s)", "int(s) * 2 + 1", "int(s[:2])", "int(s, 10)", "int(s, base=10)", "int(b)"),
            *("int(s, 16)", "int(s, 2)", "int(s, 8)", "int(s, 0)", "int(s, 36)", "int(s, 7)"),
            *("int(b, 16)", "int('-' + s)", "int(s + '0')", "int(' ' + s + ' ')"),
            *("int('0x' + s, 16)", "int('0_' + s, 0)", "int('1' + s, 0)", "int(s, 1)"),
            *("int(s, 37)", "int(s, -1)", "int(s, 'a')", "int(s, None)", "int(s, 10, 1)"),
            *("int(s, bass=1)", "int(x=s)", "int(str(x))", "int(str(x)) == x", "int('+' + s)"),
            *("int(s + '_1')", "int('\\u0663' + s)", "int(str(x), 16)", "int(hex(x), 16)"),
            *("int(s, True)", "int(s.strip())", "int(f'{x:05d}')", "int(x, 10)", "int(f, 10)"),
            why="whether it is a number, and how it is written",
        ),
        _row(
            _TYPE,
            "int of text in a symbolic base",
            _P,
            *("int(s, x)", "int('10', x)"),
            why="bases are many",
        ),
        _row(
            _TYPE,
            "float of text",
            _D,
            *("float(s[:2])", "float('1' + s[:1])", "float('-' + s[:1])", "float(str(x % 100))"),
            *("float(s[:1] + '.5')", "float('nan' + s)", "float(' ' + s[:1])", "float(b[:1])"),
            *("float(s[:1] + 'inf')", "float('0.' + str(x % 100))"),
            why="whether it is a number, and how many digits stand after the point",
        ),
        _row(
            _TYPE,
            "float of text with an exponent",
            _P,
            "float('1e' + str(x % 400))",
            why="powers of ten",
        ),
        _row(_TYPE, "complex of text", _P, "complex(s)", why="complex numbers have no theory"),
        _row(_TYPE, "bool of text", _M, "bool(s)", "bool(b)", "bool(s + 'x')"),
    ]
