"""No operation reads a symbolic value in silence.

Each case is a condition that some input makes true, but not the first one tried. Either that input
is found, or the path says that a value was pinned; a run that claims to have seen everything
without either has lost the value on the way.
"""

import pytest

IMPORTS = """
import array, bisect, collections, colorsys, copy, ctypes, dataclasses, datetime, decimal, enum
import fractions, functools, heapq, io, ipaddress, itertools, json, math, operator, pickle
import random, statistics, string, struct, textwrap, time, types, uuid
"""

CONDITIONS = r"""
"ab" * x == "abab"
[0] * x == [0, 0]
(1,) * x == (1, 1)
b"a" * x == b"aa"
bytearray(b"a") * x == b"aa"
x * "ab" == "abab"
"%d" % x == "7"
"%s %s" % (x, 3) == "7 3"
f"{x}" == "7"
f"{x:03d}" == "007"
"{}".format(x) == "7"
[5, 6, 7][x] == 7
[5, 6, 7, 8][x:] == [7, 8]
"abc"[x] == "c"
b"abc"[x] == 99
memoryview(b"abc")[x] == 99
range(5, 9)[x] == 7
1.5 + x == 8.5
x + 1.5 == 8.5
1.5 < x
x * 1j == 7j
7j == 1j * x
complex(x, 2) == 7+2j
decimal.Decimal(1) + x == 8
x + decimal.Decimal(1) == 8
decimal.Decimal(7) == x
x == decimal.Decimal(7)
decimal.Decimal(7) < x
fractions.Fraction(x, 2) == fractions.Fraction(7, 2)
fractions.Fraction(1, 2) + x == fractions.Fraction(15, 2)
datetime.timedelta(1) * x == datetime.timedelta(7)
x * datetime.timedelta(1) == datetime.timedelta(7)
datetime.timedelta(14) // x == datetime.timedelta(2) if x > 1 else False
datetime.timedelta(days=x) == datetime.timedelta(7)
datetime.date(2020, 1, x % 28 + 1) == datetime.date(2020, 1, 8)
True + x == 8
True < x
True & x == 1
x | True == 7
enum.IntEnum("E", "A B")(2) + x == 9
enum.IntEnum("E", "A B")(2) < x
enum.IntEnum("E", "A B")(2) == x
x == enum.IntEnum("E", "A B")(2)
enum.IntEnum("E", "A B")(x) == 2
{7: 1}.get(x) == 1
x in {7: 1}
x in {7, 8}
x in frozenset([7])
x in b"\x07"
{x: 1} == {7: 1}
{x} == {7}
set([x]) == {7}
dict.fromkeys([x]) == {7: None}
bytes([x]) == b"\x07"
bytes(i for i in [x]) == b"\x07"
bytes(map(abs, [x])) == b"\x07"
bytes([x].__iter__()) == b"\x07"
bytes(x) == bytes(7)
bytearray([x]) == b"\x07"
bytearray(b"a").__mul__(x) == b"a" * 7
array.array("i", [x])[0] == 7
array.array("i", (v for v in [x]))[0] == 7
array.array("i", [1]) * x == array.array("i", [1] * 7)
struct.pack("i", x) == b"\x07\0\0\0"
sorted([3, 9], key=lambda v: v * x)[0] == 9
sum([0.5, x]) == 7.5
sum([x, 0.5]) == 7.5
sum([x], 0.5) == 7.5
int.__add__(x, 1) == 8
int.__add__(1, x) == 8
(1).__add__(x) == 8
(1).__radd__(x) == 8
x.__add__(1) == 8
x.__radd__(1) == 8
int.__eq__(x, 7)
int.__lt__(6, x)
int.bit_length(x) == 3
int.__index__(x) == 7
int(x) == 7
int.__int__(x) == 7
int.real.__get__(x) == 7
operator.index(x) == 7
operator.add(1, x) == 8
operator.mul("a", x) == "a" * 7
operator.getitem([1, 2, 3], x) == 3
operator.contains({7}, x)
operator.itemgetter(x)([1, 2, 3]) == 3
operator.methodcaller("__add__", x)(1) == 8
operator.length_hint([1]) + x == 8
math.sqrt(x) == 3.0 if x >= 0 else False
math.floor(x) == 7
math.gcd(x, 14) == 7
math.prod([x, 2]) == 14
math.prod([x, 2.0]) == 14.0
math.fsum([x, 2]) == 9.0
math.isqrt(x) == 3 if x >= 0 else False
math.comb(x, 2) == 21 if x >= 0 else False
math.fsum(v for v in [x]) == 7.0
itertools.count(x).__next__() == 7
next(itertools.count(x)) == 7
list(itertools.islice([1,2,3,4,5,6,7,8], x))[-1:] == [7] if x > 0 else False
list(itertools.repeat(1, x)) == [1] * 7 if x > 0 else False
list(itertools.accumulate([1, x])) == [1, 8]
list(itertools.accumulate([1, x], max)) == [1, 7]
list(itertools.accumulate(["a", x], lambda a, b: a * b))[1] == "a" * 7
list(itertools.starmap(pow, [(x, 2)])) == [49]
list(itertools.starmap(chr, [(x,)])) == ["\x07"]
list(map(chr, [x])) == ["\x07"]
list(map(float, [x])) == [7.0]
list(map(str, [x])) == ["7"]
list(map(int, [x])) == [7]
list(map([1, 2, 3].__getitem__, [x])) == [3]
list(map("abc".__getitem__, [x])) == ["c"]
list(map("a".__mul__, [x])) == ["a" * 7]
list(filter((7).__eq__, [x])) == [7]
list(map((1).__add__, [x])) == [8]
max([1, 2], key=lambda v: v * x) == 1
max([x, 3], key=float) == 7
max([x, 3], key=(10).__sub__) == 3
min([[x], [3]], key=len)[0] == 7
functools.reduce(int.__add__, [x, 1]) == 8
functools.reduce(max, [x, 1]) == 7
functools.partial(int.__add__, 1)(x) == 8
functools.partial(chr, x)() == "\x07"
functools.partial(lambda a, b: a + b, x)(1) == 8
functools.lru_cache(lambda v: v + 1)(x) == 8
heapq.nsmallest(1, [x, 9])[0] == 7
heapq.heappop([x, 9]) == 7
bisect.bisect([1, 5, 9], x) == 3
bisect.bisect_left([x, 50], 7) == 1
bisect.bisect([1, 5, 9], 2, x) == 1
statistics.mean([x, 9]) == 8
statistics.mean(v for v in [x, 9]) == 8
random.Random(x).random() == random.Random(7).random()
json.dumps(x) == "7"
json.dumps([x > 3]) == "[true]"
json.dumps({"a": {"b": [[[[x]]]]}}) == '{"a": {"b": [[[[7]]]]}}'
pickle.loads(pickle.dumps(x)) == 7
pickle.loads(pickle.dumps([x, x > 3])) == [7, True]
copy.deepcopy({"a": [x]}) == {"a": [7]}
collections.Counter([x])[7] == 1
collections.deque([x, 1]).index(7) == 0 if x == 7 else False
collections.deque([1, 2, 3])[x] == 3
collections.deque([1, 2, 3], x) == collections.deque([3], 1)
collections.deque([1, 2]) * x == collections.deque([1, 2] * 3)
bytes(collections.deque([x])) == b"\x07"
bytes({"a": x}.values()) == b"\x07"
[1, 2, 3].pop(x) == 3
[1, 2, 3].index(3, x) == 2
"abcabc".find("a", x) == 3
"abc".center(x) == " abc "
"abc".ljust(x, "-") == "abc--"
"a b c".split(" ", x) == ["a", "b", "c"]
"aaa".replace("a", "b", x) == "bba"
"abc".zfill(x) == "00abc"
"abc"[x:] == "c"
"abc"[:x] == "ab"
[1, 2, 3][::x] == [1, 3]
"abc".startswith("c", x)
str(x) == "7"
repr([x]) == "[7]"
hash(x) == 7
hash((x,)) == hash((7,))
hash(frozenset([x])) == hash(frozenset([7]))
round(2.345, x) == 2.35
round(x, -1) == 10
divmod(x, 2) == (3, 1)
divmod(7.5, x) == (1.0, 0.5) if x else False
pow(2, x) == 128 if 0 <= x < 10 else False
pow(2, 3, x) == 1
pow(2, x, 5) == 3
2.0 ** x == 128.0
x ** 0.5 == 3.0 if x > 0 else False
x / 2 == 3.5
chr(x) == "\x07"
ord(chr(x)) == 7
bin(x) == "0b111"
hex(x) == "0x7"
format(x, "d") == "7"
(x > 3) is True
(x > 3) == True
(x > 3) + 1 == 2
[10, 20][x > 3] == 20
"ab"[x > 3] == "b"
bool(x) is False
(x > 3) in (True,)
isinstance(x > 3, bool) and x > 3
type(x) is int and x == 7
x.to_bytes(1, "big") == b"\x07" if 0 <= x < 256 else False
int.from_bytes(bytes([x]), "big") == 7
int("1" * x) == 111
int("11", x) == 8
range(x).__len__() == 7
len(range(x)) == 7
list(range(x)) == [0, 1, 2]
sum(range(x)) == 3
7 in range(x)
range(x)[-1] == 6
range(0, 20, x)[1] == 7
range(20)[x] == 7
range(10)[x:] == range(7, 10)
[v for v in range(x) if v > 1] == [2, 3]
[*range(x)] == [0, 1, 2]
tuple(range(x)) == (0, 1, 2)
max(range(x), default=0) == 6
list(zip(range(x), "abc")) == [(0, "a"), (1, "b"), (2, "c")]
sorted(range(x)) == [0, 1, 2]
list(enumerate("ab", x)) == [(7, "a"), (8, "b")]
list(reversed(range(x))) == [2, 1, 0]
bytes(range(x)) == b"\0\1\2"
set(range(x)) == {0, 1, 2}
random.Random(1).choice(range(x)) >= 3 if x > 2 else False
eval("x + 1", {"x": x}) == 8
eval("chr(x)", {"x": x}) == "\x07"
getattr(x, "real") == 7
x.numerator == 7
x.__class__(x) == 7
type(x)(x) == 7
vars(type("N", (), {"v": x}))["v"] == 7
(lambda *a: a[0])(*[x]) == 7
(lambda **k: k["a"])(**{"a": x}) == 7
print(x, file=(b := io.StringIO())) or b.getvalue() == "7\n"
"".join(map(str, [x])) == "7"
textwrap.shorten("hello big world", x) == "[...]"
ctypes.c_int(x).value == 7
time.gmtime(x).tm_sec == 7 if 0 <= x < 60 else False
uuid.UUID(int=x).int == 7 if x >= 0 else False
ipaddress.ip_address(x) == ipaddress.ip_address(7) if x >= 0 else False
colorsys.rgb_to_hsv(x, 0, 0)[2] == 7
slice(x).indices(10) == (0, 7, 1)
slice(x).stop == 7
types.SimpleNamespace(a=x).a == 7
dataclasses.make_dataclass("D", ["a"])(x).a == 7
(D := dataclasses.make_dataclass("D", ["a"]))(x) == D(7)
collections.namedtuple("T", "a")(x).a == 7
collections.namedtuple("T", "a")(x) == (7,)
collections.OrderedDict([("a", x)])["a"] == 7
collections.defaultdict(int, {"a": x})["a"] == 7
type("MyInt", (int,), {})(x) == 7
type("MyInt", (int,), {})(3) + x == 10
x + type("MyInt", (int,), {})(3) == 10
type("MyInt", (int,), {})(3) < x
x == type("MyInt", (int,), {})(3)
type("MyFloat", (float,), {})(3.5) + x == 10.5
type("MyFloat", (float,), {})(3.5) < x
type("MyStr", (str,), {})("abc")[x] == "c"
type("MyList", (list,), {})([1, 2, 3])[x] == 3
type("MyList", (list,), {})([x])[0] == 7
type("MyTuple", (tuple,), {})([1, 2, 3])[x] == 3
type("MyDict", (dict,), {})({7: 1}).get(x) == 1
bytes(type("MyList", (list,), {})([x])) == b"\x07"
""".strip().splitlines()


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_value_is_followed_or_pinned(condition, explore):
    seen = explore(
        f"{IMPORTS}\ndef f(x):\n    if {condition}:\n        return 'found'\n    return 'not'\n",
        max_paths=40,
        timeout=10.0,
    )
    assert "'found'" in seen.results or seen.pins or not seen.exhaustive
