"""Rows of `bytes`, `bytearray`, `memoryview` and the functions over them."""

from __future__ import annotations

from pef.models.table.rows import Operation, Treatment

_M, _D, _P = Treatment.MODELLED, Treatment.DECIDED, Treatment.PINNED

_COUNT = "how many bytes there are"
_OCCURRENCE = "whether there is one more occurrence"
_RANGE = "whether a number is a byte"
_PLACE = "whether the position is inside"
_EXTRA = "whether there is more to strip"


def rows() -> tuple[Operation, ...]:
    """All rows, in the order of the documentation."""
    return (*_bytes(), *_bytearray(), *_memoryview(), *_functions())


def _bytes() -> list[Operation]:
    return [
        *_bytes_operators(),
        *_bytes_searching(),
        *_bytes_parts(),
        *_bytes_letters(),
        *_bytes_others(),
    ]


def _row(name: str, treatment: Treatment, reason: str, *cases: str) -> Operation:
    return Operation("bytes", name, treatment, cases, reason)


def _bytes_operators() -> list[Operation]:
    signs = (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    compared = [
        _row(f"__{name}__", _M, "", *(case.format(sign) for case in _COMPARED))
        for name, sign in signs
    ]
    return [
        *compared,
        _row("__add__", _M, "", "b + c", "b + b'x'", "b'x' + b", "b + s", "b + None", "b + 1"),
        _row("__add__", _D, _COUNT, "b + bytearray(b'x')", "b + memoryview(b'x')"),
        _row("__mul__", _D, "the number of copies", "b * (x & 3)", "b * 2", "b * -1", "b * None"),
        _row("__rmul__", _D, "the number of copies", "2 * b", "(x & 3) * b'ab'", "'a' * b"),
        _row("__mod__", _P, "formatting of bytes has no model", "b'%d' % x", "b'<%b>' % b"),
        _row("__contains__", _M, "", "c in b", "b'ab' in b", "b in b'abc'", "b not in b'abc'"),
        _row("__contains__", _D, _RANGE, "x in b", "x in b'abc'", "97 in b", "300 in b", "s in b"),
        _row("__getitem__", _D, _PLACE, "b[x]", "b[0]", "b[-1]", "b[1:]", "b[x:y]", "b[::-1]"),
        _row("__getitem__", _D, _PLACE, "b['a']", "b[p]", "b[:2]", "b[x:]", "b[::2]", "b[1.5]"),
        _row("__len__", _M, "", "len(b)", "b.__len__()", "bytes.__len__(b)"),
        _row("__iter__", _D, "whether there is one more byte", *_ITERATED),
        _row("__hash__", _P, "hashing", "hash(b) == hash(b)", "hash((b, 1))"),
        _row("__repr__", _D, "of which form the bytes are", "repr(b)", "str(b)", "f'{b}'"),
        _row("__bytes__", _M, "", "bytes(b)"),
    ]


_COMPARED = ("b {} c", "b {} b'ab'", "b'' {} b", "b {} s", "b {} None", "b {} 1")
_ITERATED = ("[n for n in b[:3]]", "list(b)", "sum(b[:2])", "max(b, default=0)", "sorted(b)")


def _bytes_searching() -> list[Operation]:
    rows = []
    for name in ("find", "rfind", "index", "rindex", "count"):
        sought = ("c", "b'a'", "97", "x", "b'a', 1", "b'a', x, y", "b'a', -2", "b''", "s", "None")
        cases = (*(f"b.{name}({each})" for each in sought), f"b'abca'.{name}(b)", f"b.{name}()")
        reason = _OCCURRENCE if name == "count" else _RANGE
        rows.append(_row(name, _D, reason, *cases, f"b'abca'.{name}(x)"))
    for name in ("startswith", "endswith"):
        wanted = (
            "c",
            "b'a'",
            "(b'a', b'bc')",
            "b'a', 1",
            "c, x, y",
            "s",
            "(b'a', 's')",
            "97",
            "()",
        )
        rows.append(_row(name, _D, _PLACE, *(f"b.{name}({each})" for each in wanted)))
    for name in ("removeprefix", "removesuffix"):
        cut = ("c", "b'a'", "b''", "s", "bytearray(b'a')")
        rows.append(_row(name, _D, "whether it is there", *(f"b.{name}({each})" for each in cut)))
    replaced = (
        "b'a', b'b'",
        "b'a', c",
        "b'a', b'', 1",
        "b'', b'-'",
        "c, b'x'",
        "b'a', 'b'",
        "b'ab', b'', x",
    )
    return [
        *rows,
        _row("replace", _D, _OCCURRENCE, *(f"b.replace({each})" for each in replaced)),
    ]


def _bytes_parts() -> list[Operation]:
    separators = (
        "",
        "b','",
        "None, 1",
        "b',', 1",
        "b'', 1",
        "c",
        "sep=b'a', maxsplit=x",
        "s",
        "b',', 1.5",
    )
    rows = []
    for name in ("split", "rsplit"):
        rows.append(_row(name, _D, _OCCURRENCE, *(f"b.{name}({each})" for each in separators)))
    for name in ("partition", "rpartition"):
        given = ("b'='", "c", "b''", "s", "bytearray(b'=')")
        rows.append(_row(name, _D, _OCCURRENCE, *(f"b.{name}({each})" for each in given)))
    for name in ("strip", "lstrip", "rstrip"):
        stripped = ("", "b'ab'", "None", "c", "s", "b''", "bytearray(b'a')")
        rows.append(_row(name, _D, _EXTRA, *(f"b.{name}({each})" for each in stripped)))
    lines = (
        "b.splitlines()",
        "b.splitlines(True)",
        "b.splitlines(keepends=p)",
        "b.splitlines(1, 2)",
    )
    joins = ("b.join([c, b'x'])", "b','.join([b, c])", "b.join([])", "b.join([b, 1])", "b.join(s)")
    more = ("b','.join(n for n in (b, c))", "b','.join([b, bytearray(c)])", "b.join(None)")
    return [
        *rows,
        _row("splitlines", _D, "whether there is one more line", *lines),
        _row("join", _D, _COUNT, *joins, *more),
    ]


def _bytes_letters() -> list[Operation]:
    rows = []
    for name in ("upper", "lower", "swapcase"):
        rows.append(_row(name, _M, "", f"b.{name}()", f"b.{name}(1)", f"(b + b'aZ').{name}()"))
    for name in ("title", "capitalize"):
        rows.append(_row(name, _D, "whether there is a letter", f"b.{name}()", f"b[:2].{name}()"))
    for name in ("alnum", "alpha", "ascii", "digit", "lower", "space", "title", "upper"):
        rows.append(
            _row(f"is{name}", _M, "", f"b.is{name}()", f"(b + b'a').is{name}()", f"b.is{name}(1)")
        )
    for name in ("center", "ljust", "rjust"):
        given = ("5", "x & 7", "5, b'-'", "5, c", "5, 'a'", "'a'", "5, bytearray(b'-')")
        rows.append(_row(name, _D, "how much is missing", *(f"b.{name}({each})" for each in given)))
    zeros = ("b.zfill(4)", "b.zfill(x & 7)", "b'-7'.zfill(x & 7)", "b.zfill('a')")
    tabs = ("b.expandtabs()", "b.expandtabs(4)", "b.expandtabs(tabsize=2)", "b.expandtabs('a')")
    return [
        *rows,
        _row("zfill", _D, "how much is missing", *zeros),
        _row("expandtabs", _D, "whether there is one more tab", *tabs),
    ]


def _bytes_others() -> list[Operation]:
    table = "bytes.maketrans(b'ab', b'xy')"
    decoded = (
        "",
        "'ascii'",
        "'latin-1'",
        "'utf-8', 'ignore'",
        "'utf-8', 'replace'",
        "encoding='U8'",
    )
    errors = (
        "'utf-8', 'surrogateescape'",
        "'utf-8', 'surrogatepass'",
        "'utf-8', 'backslashreplace'",
    )
    wrong = ("1", "'ascii', None", "b'ascii'", "'ascii', 'ignore', 1")
    hexed = ("b.hex()", "b.hex('-')", "b.hex(b':', 2)", "b.hex('-', -2)", "b.hex('ab')", "b.hex(1)")
    dehexed = ("bytes.fromhex(s)", "bytes.fromhex(b)", "b.fromhex(s)", "bytes.fromhex('a' + s)")
    made = (
        "bytes([x, y])",
        "bytes((x, 'a'))",
        "bytes(x & 7)",
        "bytes(b)",
        "bytes(s)",
        "bytes(n for n in b[:2])",
    )
    encoded = (
        "bytes(s, 'utf-8')",
        "bytes(s, 'ascii', 'ignore')",
        "bytes(b, 'utf-8')",
        "bytes(x % 3 - 1)",
    )
    translated = (f"b.translate({table})", f"b.translate({table}, b'c')", "b.translate(None, b'a')")
    return [
        _row(
            "decode", _D, "of which form the bytes are", *(f"b.decode({each})" for each in decoded)
        ),
        _row(
            "decode",
            _D,
            "of which form the bytes are",
            *(f"b.decode({each})" for each in (*errors, *wrong)),
        ),
        _row(
            "decode",
            _P,
            "other encodings have no model",
            "b[:2].decode('utf-16')",
            "b.decode('cp437')",
        ),
        _row("hex", _D, _COUNT, *hexed),
        _row("fromhex", _D, "where the digits end", *dehexed),
        _row("__new__", _D, _RANGE, *made, *encoded),
        _row("translate", _D, "whether there is one more byte to leave out", *translated),
        _row(
            "translate",
            _D,
            "whether there is one more byte to leave out",
            "b.translate(b'a')",
            "b.translate(1)",
        ),
        _row("maketrans", _P, "a table is plain", "bytes.maketrans(b[:1], c[:1])[:3]"),
        _row("__getnewargs__", _P, "pickling", "b.__getnewargs__()"),
        _row("__reduce__", _P, "pickling", "b.__reduce_ex__(2)[1]"),
        _row("__sizeof__", _P, "the size of its buffer", "b.__sizeof__() > 0"),
        _row("__class__", _M, "", "b.__class__", "type(b)", "isinstance(b, bytes)"),
    ]


def _array(name: str, treatment: Treatment, reason: str, *suites: str) -> Operation:
    """Cases over a bytearray `a` of the bytes `b`; what is returned shows what became of it."""
    cases = tuple(f"a = bytearray(b)\n{suite}\nreturn a" for suite in suites)
    return Operation("bytearray", name, treatment, cases, reason)


def _asked(name: str, reason: str, *expressions: str) -> Operation:
    cases = tuple(f"a = bytearray(b)\nreturn {each}" for each in expressions)
    return Operation("bytearray", name, _D, cases, reason)


def _bytearray() -> list[Operation]:
    made = (
        "bytearray(b)",
        "bytearray([x, y])",
        "bytearray(x & 7)",
        "bytearray(s, 'utf-8')",
        "bytearray(s)",
    )
    wrong = (
        "bytearray(1.5)",
        "bytearray([x, 's'])",
        "bytearray(b, 'utf-8')",
        "bytearray()",
        "bytearray(b'ab')",
    )
    return [
        Operation("bytearray", "__new__", _D, (*made, *wrong), _COUNT),
        Operation("bytearray", "fromhex", _D, ("bytearray.fromhex(s)",), "where the digits end"),
        *_array_changes(),
        *_array_questions(),
    ]


def _array_changes() -> list[Operation]:
    stored = (
        "a[0] = x",
        "a[x] = y",
        "a[-1] = 7",
        "a[0] = 's'",
        "a['s'] = 1",
        "a[0:1] = c",
        "a[x:y] = b'z'",
    )
    slices = ("a[0:1] = [x, y]", "a[::2] = b'z'", "a[0:1] = 5", "a[0:1] = 's'", "a[1:] = [300]")
    return [
        _array("__setitem__", _D, _COUNT, *stored, *slices),
        _array(
            "__delitem__",
            _D,
            _COUNT,
            "del a[0]",
            "del a[x]",
            "del a[1:]",
            "del a[x:]",
            "del a['s']",
        ),
        _array("append", _D, _COUNT, "a.append(x)", "a.append(7)", "a.append('s')", "a.append()"),
        _array(
            "extend",
            _D,
            _COUNT,
            "a.extend(c)",
            "a.extend([x])",
            "a.extend(5)",
            "a.extend('s')",
            "a.extend(a)",
        ),
        _array(
            "insert",
            _D,
            _COUNT,
            "a.insert(0, x)",
            "a.insert(x, y)",
            "a.insert(1, 's')",
            "a.insert('s', 1)",
        ),
        _array(
            "pop",
            _D,
            _COUNT,
            "return a.pop(), a",
            "return a.pop(x), a",
            "a.pop('s')",
            "return a.pop(0)",
        ),
        _array(
            "remove", _D, _COUNT, "a.remove(x)", "a.remove(97)", "a.remove('s')", "a.remove(300)"
        ),
        _array("clear", _D, _COUNT, "a.clear()", "a.append(x)\na.clear()"),
        _array("reverse", _D, _COUNT, "a.reverse()"),
        _array(
            "__iadd__",
            _D,
            _COUNT,
            "a += c",
            "a += b'xy'",
            "a += bytearray([x & 255])",
            "a += [1]",
            "a += 's'",
        ),
        _array("__imul__", _D, _COUNT, "a *= 2", "a *= x & 3", "a *= 's'"),
        _array("copy", _D, _COUNT, "c = a.copy()\nc.append(1)"),
    ]


def _array_questions() -> list[Operation]:
    own = {
        "__getitem__": ("a[0]", "a[x]", "a[-1]", "a[1:]", "a[x:y]", "a[::-1]", "a['s']"),
        "__len__": ("len(a)", "a.__len__()"),
        "__iter__": ("list(a)", "[n + 1 for n in a]", "sum(a)", "list(reversed(a))"),
        "__contains__": ("x in a", "b'a' in a", "c in a", "'s' in a", "300 in a"),
        "__add__": ("a + c", "a + b'x'", "b + a", "b'x' + a", "a + 's'", "a + a"),
        "__mul__": ("a * 2", "a * (x & 3)", "a * 's'"),
        "__rmul__": ("2 * a", "(x & 3) * a"),
        "__repr__": ("repr(a)", "str(a)"),
        "__hash__": ("hash(a)", "{a}"),
        "__alloc__": ("a.__alloc__() > 0",),
        "__class__": ("type(a)", "a.__class__", "isinstance(a, bytearray)", "type(a) is bytearray"),
        **{f"__{name}__": (f"a {sign} c", f"b {sign} a", f"a {sign} 's'") for name, sign in _SIGNS},
    }
    shared = {
        "decode": ("a.decode()", "a.decode('ascii')", "a.decode('latin-1')"),
        "hex": ("a.hex()", "a.hex('-', 2)"),
        "translate": ("a.translate(None, b'a')", "a.translate(1)"),
        "join": ("a.join([c, b'x'])", "a.join([1])"),
        "replace": ("a.replace(b'a', c)", "a.replace(b'a', b'', 1)"),
        **{name: (f"a.{name}(c)", f"a.{name}(b'a', 1)") for name in _SEARCHES},
        **{name: (f"a.{name}()", f"a.{name}(b'a')") for name in _CUTS},
        **{name: (f"a.{name}(b'a')", f"a.{name}(c)") for name in _WHERE},
        **{name: (f"a.{name}(4)", f"a.{name}('s')") for name in _WIDTHS},
        **{name: (f"a.{name}()", f"a.{name}(1, 2, 3)") for name in _PLAIN},
    }
    rows = [_asked(name, _COUNT, *cases) for name, cases in (own | shared).items()]
    pickled = ("a = bytearray(b)\nreturn a.__reduce_ex__(2)[1]",)
    formatted = ("a = bytearray(b)\nreturn a % ()", "a = bytearray(b'%d')\nreturn a % x")
    maketrans = ("bytearray.maketrans(b[:1], c[:1])[:3]",)
    return [
        *rows,
        Operation("bytearray", "__mod__", _P, formatted, "formatting of bytes has no model"),
        Operation("bytearray", "__reduce__", _P, pickled, "pickling"),
        Operation("bytearray", "maketrans", _P, maketrans, "a table is plain"),
    ]


_SIGNS = (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
_SEARCHES = ("find", "rfind", "index", "rindex", "count", "startswith", "endswith")
_CUTS = ("split", "rsplit", "strip", "lstrip", "rstrip")
_WHERE = ("partition", "rpartition", "removeprefix", "removesuffix")
_WIDTHS = ("center", "ljust", "rjust", "zfill", "expandtabs")
_PLAIN = (
    *("upper", "lower", "swapcase", "title", "capitalize", "splitlines", "isalnum", "isalpha"),
    *("isascii", "isdigit", "islower", "isspace", "istitle", "isupper"),
)


def _view(name: str, *expressions: str) -> Operation:
    cases = tuple(f"m = memoryview(b)\nreturn {each}" for each in expressions)
    return Operation("memoryview", name, _D, cases, _COUNT)


def _memoryview() -> list[Operation]:
    attributes = (
        "c_contiguous",
        "contiguous",
        "f_contiguous",
        "format",
        "itemsize",
        "nbytes",
        "ndim",
        "obj",
    )
    more = ("readonly", "shape", "strides", "suboffsets")
    stored = (
        "m[0] = x",
        "m[x] = 1",
        "m[0] = 's'",
        "m[0:2] = c",
        "m[::2] = b'z'",
        "m[0:1] = [1]",
        "a.append(1)",
    )
    writes = tuple(f"a = bytearray(b)\nm = memoryview(a)\n{suite}\nreturn a" for suite in stored)
    released = "m = memoryview(b)\nm.release()\nreturn m.{}"
    return [
        Operation(
            "memoryview",
            "__new__",
            _D,
            ("memoryview(b).tobytes()", "memoryview(s)", "memoryview(x)"),
            _COUNT,
        ),
        *(
            _view(name, f"m.{name}", f"m[1:].{name}", f"memoryview(b[:3])[::2].{name}")
            for name in (*attributes, *more)
        ),
        _view(
            "__getitem__",
            "m[x]",
            "m[0]",
            "m[x:y].tobytes()",
            "memoryview(b[:3])[::-1].tolist()",
            "m['s']",
            "m[1:][x]",
        ),
        Operation(
            "memoryview", "__setitem__", _D, (*writes, "m = memoryview(b)\nm[0] = x"), _COUNT
        ),
        _view("__delitem__", "m.__delitem__(0)"),
        _view("__len__", "len(m)", "len(m[1:])", "m.__len__()"),
        _view(
            "__iter__",
            "list(m[:3])",
            "[n + 1 for n in m[:3]]",
            "sum(m[:2])",
            "list(reversed(m[:2]))",
            "x in m[:2]",
        ),
        _view("__eq__", "m == c", "m == b", "m == memoryview(c)", "m == 's'", "c == m"),
        _view("__ne__", "m != c", "m != b", "m != 's'"),
        _view("__lt__", "m < c"),
        _view("__repr__", "repr(m)[:11]", "str(m)[:11]"),
        _view(
            "tobytes",
            "m.tobytes()",
            "m[1:].tobytes()",
            "m.tobytes('C')",
            "m.tobytes('X')",
            "bytes(m)",
        ),
        _view("tolist", "m.tolist()", "m[:2].tolist()"),
        _view("hex", "m.hex()", "m.hex('-')"),
        _view("toreadonly", "m.toreadonly().readonly", "m.toreadonly().tobytes()"),
        Operation(
            "memoryview",
            "release",
            _D,
            tuple(map(released.format, ("tobytes()", "nbytes"))),
            _COUNT,
        ),
        _view("__enter__", "m.__enter__().tobytes()"),
        _view("__exit__", "m.__exit__(None, None, None)"),
        Operation(
            "memoryview",
            "cast",
            _P,
            ("memoryview(b).cast('c').tolist()",),
            "other formats have no model",
        ),
        Operation("memoryview", "__hash__", _P, ("hash(memoryview(b)) == hash(b)",), "hashing"),
    ]


def _function(name: str, treatment: Treatment, reason: str, *cases: str) -> Operation:
    module = name.partition(".")[0]
    suites = tuple(f"import {module}\nreturn {case}" for case in cases)
    return Operation("binary", name, treatment, suites, reason)


def _functions() -> list[Operation]:
    return [*_struct(), *_armour(), *_encode()]


def _encode() -> list[Operation]:
    forms = "of which form the characters are"
    encoded = (
        "",
        "'ascii'",
        "'latin-1'",
        "'utf-8', 'replace'",
        "'ascii', 'ignore'",
        "encoding='utf8'",
    )
    errors = (
        *(
            "'ascii', 'backslashreplace'",
            "'ascii', 'xmlcharrefreplace'",
            "'utf-8', 'surrogatepass'",
        ),
        *("'utf-8', 'surrogateescape'", "'latin-1', 'surrogateescape'", "1", "'ascii', None"),
    )
    order = ("int.from_bytes(b[:2], 'big')", "int.from_bytes(b[:2], 'little', signed=True)")
    more = ("int.from_bytes([x, y], 'big')", "int.from_bytes(s, 'big')", "int.from_bytes(b, 'up')")
    packed = (
        "x.to_bytes(2, 'big')",
        "x.to_bytes(3, 'little', signed=True)",
        "x.to_bytes(y & 3, 'big')",
    )
    wrong = (
        "x.to_bytes('s', 'big')",
        "x.to_bytes(2, 'up')",
        "p.to_bytes(1, 'big')",
        "x.to_bytes(-1, 'big')",
    )
    return [
        Operation(
            "binary", "str.encode", _D, tuple(f"s.encode({each})" for each in encoded), forms
        ),
        Operation("binary", "str.encode", _D, tuple(f"s.encode({each})" for each in errors), forms),
        Operation(
            "binary", "str.encode", _P, ("s.encode('utf-16')",), "other encodings have no model"
        ),
        Operation("binary", "int.from_bytes", _D, (*order, *more), _COUNT),
        Operation("binary", "int.to_bytes", _D, (*packed, *wrong), "whether the number fits"),
    ]


def _struct() -> list[Operation]:
    unpacked = ("'>Hb', b", "'<i', b", "'3sc?', b", "'>H', s", "'Z', b", "'2p', b", "'@bi', b")
    offsets = ("'>H', b", "'>H', b, x", "'<bB', b, offset=1", "'>H', b, -2", "'>H', b, 's'")
    packed = (
        "'>H', x",
        "'<ib', x, y",
        "'3s', b",
        "'4p', b",
        "'?', x",
        "'c', b",
        "'>H', s",
        "'>H', x, y",
    )
    more = ("'@bI', x, y", "'q', x", "'Q', x", "'2xB', x", "'0s', b", "'>2H', x, y")
    compiled = "struct.Struct('>H')"
    into = "import struct\na = bytearray(4)\nstruct.pack_into({})\nreturn a"
    written = ("'>H', a, 1, x", "'>H', a, x, 7", "'>H', a, -2, x", "'3s', a, 1, b", "'>H', b, 0, x")
    enough, fits = "whether there are enough bytes", "whether the number fits"
    return [
        _function("struct.unpack", _D, enough, *(f"struct.unpack({each})" for each in unpacked)),
        _function(
            "struct.unpack_from", _D, enough, *(f"struct.unpack_from({each})" for each in offsets)
        ),
        _function(
            "struct.iter_unpack",
            _D,
            enough,
            "list(struct.iter_unpack('>H', b[:4]))",
            "struct.iter_unpack('', b)",
        ),
        _function("struct.pack", _D, fits, *(f"struct.pack({each})" for each in (*packed, *more))),
        Operation("binary", "struct.pack_into", _D, tuple(map(into.format, written)), fits),
        _function(
            "struct.Struct",
            _D,
            enough,
            f"{compiled}.unpack(b)",
            f"{compiled}.pack(x)",
            f"{compiled}.size",
        ),
        _function(
            "struct.unpack",
            _P,
            "floats are packed in C",
            "struct.unpack('<e', b)",
            "struct.unpack('>d', b)",
        ),
    ]


def _armour() -> list[Operation]:
    digits = "where the digits end"
    hashed = ("hashlib.md5(b).hexdigest()", "hashlib.sha256(b).digest()")
    return [
        _function(
            "binascii.hexlify",
            _D,
            _COUNT,
            "binascii.hexlify(b)",
            "binascii.hexlify(b, '-', 2)",
            "binascii.hexlify(s)",
        ),
        _function(
            "binascii.unhexlify",
            _D,
            digits,
            "binascii.unhexlify(b)",
            "binascii.unhexlify(s)",
            "binascii.unhexlify(x)",
        ),
        _function(
            "binascii.b2a_base64",
            _D,
            _COUNT,
            "binascii.b2a_base64(b)",
            "binascii.b2a_base64(b, newline=False)",
        ),
        _function(
            "binascii.a2b_base64", _D, digits, "binascii.a2b_base64(b)", "binascii.a2b_base64(s)"
        ),
        _function(
            "base64.b64encode",
            _D,
            _COUNT,
            "base64.b64encode(b)",
            "base64.b64encode(s)",
            "base64.urlsafe_b64encode(b)",
        ),
        _function(
            "base64.b64decode",
            _D,
            digits,
            "base64.b64decode(b)",
            "base64.b64decode(s)",
            "base64.urlsafe_b64decode(b)",
        ),
        _function("base64.b16encode", _D, _COUNT, "base64.b16encode(b)"),
        _function("base64.b32encode", _P, "its tables are long", "base64.b32encode(b[:1])"),
        _function("base64.b32decode", _D, digits, "base64.b32decode(b[:8])"),
        _function(
            "zlib.crc32", _D, _COUNT, "zlib.crc32(b[:2])", "zlib.crc32(b[:1], x)", "zlib.crc32(s)"
        ),
        _function("zlib.adler32", _D, _COUNT, "zlib.adler32(b[:2])", "zlib.adler32(b[:1], 7)"),
        _function("hashlib", _P, "a hash cannot be turned round", *hashed),
    ]
