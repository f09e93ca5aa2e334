"""Expressions for every operation on symbolic values, for tests that count what they leave behind.

`x`, `y` are ints, `b`, `c` bools, `s`, `t` strs, `u`, `v` bytes, `f`, `g` floats, all of them
symbolic; `o` is an object whose class defines operators in Python.
"""

from __future__ import annotations

NAMES = ("x", "y", "b", "c", "s", "t", "u", "v", "f", "g", "o")

INTS = """
x + y; x - y; x * y; x // 3; x % 3; divmod(x, 3); x / 3; x ** 2; pow(x, 2, 7); x << 2; x >> 2
x & y; x | 5; x ^ y; -x; +x; abs(x); ~x; x < y; x <= y; x == y; x != y; x > y; x >= y; int(x)
float(x); x + 1; 1 + x; 1 - x; x * 2.5; 2.5 * x; x + b; round(x); round(x, 1); x.bit_length()
x.bit_count(); x.conjugate(); x.real; x.imag; x.numerator; x.as_integer_ratio(); isinstance(x, int)
type(x); x.__class__; min(x, y); max(x, y); sum([x, y]); x is y; x is None; x + o; o + x; x == o
x in (1, 2, x); x.__add__(y); x.__eq__(y); x in range(1, 9); x == 2 ** 90; x + 2 ** 90; x < 1.5
"""
BOOLS = """
b & c; b or c; b and c; not b; b ^ c; b == c; b + c; int(b); -b; b * 3; bool(b); b is True; b | c
"""
STRS = """
s + t; s + 'a'; 'a' + s; len(s); s == t; s != t; s < t; s[0:1]; s[:2]; s[1:]; s.startswith(t)
s.endswith('a'); s.find('a'); s.upper(); s.lower(); s.strip(); s.replace('a', 'b'); t in s; 'a' in s
s * 2; s.isdigit(); [each for each in s]; ','.join([s, t]); f'{s}{t}'; '%s' % s; str(s); s == o
s.count('a'); s.isalpha()
"""
BYTES = """
u + v; u + b'a'; len(u); u == v; u < v; u[0:1]; u[:2]; u.startswith(v); u.find(b'a'); u.upper()
v in u; u * 2; bytes(u); b'a' in u
"""
FLOATS = """
f + g; f - g; f * g; f / 2.0; f // 2.0; f % 2.0; divmod(f, 2.0); f ** 2; -f; abs(f); +f; f < g
f == g; f != g; f >= g; f + 1; 1 + f; x + f; f * x; f == x; x < f; float(f); f.real; f.conjugate()
f.is_integer(); f.__class__; f + o; round(f); int(f)
"""
CONTAINERS = """
[x, y]; (x, y); {1: x}; {x: 1}; {x, y}; {x: 1}[x]; x in {x: 1}; [x, y] == [y, x]; {s: 1}; {f: 1}
s in {s: 2}; dict(a=x); {x}; set([x]); frozenset([x]); {1: 2}.get(x); [x] * 2; [x] + [y]; {u}
tuple([x, y]); sorted([x, y]); [x, y].index(x); reversed([x]); list(zip([x], [y]))
list(map(abs, [x, y])); any([x, y]); all([b, c]); list(enumerate([x])); {'a': 1}.get(s)
[1, 2, 3][x] if 0 <= x < 3 else 0; (1, 2, 3)[x] if 0 <= x < 3 else 0; {x: s, y: t}
"""
SLOW = """
str(x); repr(x); '%d' % x; f'{x}'; '%.2f' % f; f'{f:.1f}'; f.hex(); f.as_integer_ratio(); list(u)
s.split(','); s.partition(','); s.encode(); u.decode('latin-1'); u.hex(); u.split(b',')
int.from_bytes(u[:1], 'big'); list(range(3))[x:] if 0 <= x < 3 else 0; (x, s) == (y, t)
chr(x) if 0 <= x < 200 else 0; x.to_bytes(8, 'big', signed=True) if abs(x) < 99 else 0
range(x) if x < 5 else 0; bytes([x]) if 0 <= x < 200 else 0; int(s) if s.isdigit() else 0
"""


def listed(expressions: str) -> list[str]:
    """The expressions of one of the texts above."""
    parts = (part.strip() for line in expressions.splitlines() for part in line.split(";"))
    return [part for part in parts if part]


QUICK_OPERATIONS = listed(INTS + BOOLS + STRS + BYTES + FLOATS + CONTAINERS)
SLOW_OPERATIONS = listed(SLOW)


def as_module(operations: list[str]) -> str:
    """Source with a function `operation_N` for each, which repeats it `count` times."""
    parameters = ", ".join((*NAMES, "count"))
    return "".join(
        f"def operation_{number}({parameters}):\n    for _ in range(count):\n        {operation}\n"
        for number, operation in enumerate(operations)
    )
