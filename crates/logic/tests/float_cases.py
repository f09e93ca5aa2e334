"""Prints what CPython computes with floats, one case a line, for `float_semantics.rs`.

A line is an operation, its operands and its result. Floats are printed as their bits, integers as `i` and digits,
truths as `True` and `False`. Cases for which Python raises are left out: the operations of terms are total.
"""

import itertools
import math
import random
import struct

SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    3.5,
    -2.5,
    3.0,
    0.1,
    0.3,
    1e-20,
    1e16,
    1e308,
    -1e308,
    float(2**53 - 1),
    float(2**53),
    float(2**53 + 2),
    float(2**63),
    -float(2**63),
    1.7976931348623157e308,
    5e-324,
    -5e-324,
    2.2250738585072014e-308,
    2.225073858507201e-308,
    0.49999999999999994,
    4503599627370495.5,
    -2.6229075025237076e16,
    2.5890419884777833e-42,
    math.inf,
    -math.inf,
    math.nan,
]
WHOLE = [
    0,
    1,
    -1,
    2,
    3,
    -3,
    7,
    10,
    -10,
    2**53 - 1,
    2**53,
    2**53 + 1,
    -(2**53) - 1,
    2**53 + 3,
    2**54 + 2,
    2**63 - 1,
    2**63,
    -(2**63),
    2**63 + 1024,
    2**63 + 1025,
    2**64 - 1,
    10**22,
    10**23,
    10**308,
    -(10**308),
    2**1024 - 2**970,
    2**1024 - 2**970 - 1,
    2**1024 - 2**971,
    2**1074,
    2**1075,
    2**1075 + 1,
    2**1076,
    3 * 2**1075,
    10**400,
]


def bits(value):
    return (
        f"{struct.unpack('<Q', struct.pack('<d', math.nan if value != value else value))[0]:016x}"
    )


def show(value):
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return f"i{value}"
    return "nan" if value != value else bits(value)


def emit(name, compute, *operands):
    try:
        result = compute(*operands)
    except (ArithmeticError, ValueError):
        return
    print(name, *map(show, operands), show(result))


def random_float(source):
    kind = source.randrange(4)
    if kind == 0:
        return struct.unpack("<d", source.randbytes(8))[0]
    if kind == 1:
        return source.uniform(-100, 100)
    if kind == 2:
        return float(source.randrange(-1000, 1000)) / 8
    return math.ldexp(source.random(), source.randrange(-1080, 1020))


def random_whole(source):
    size = source.choice([4, 30, 53, 54, 55, 64, 70, 200, 1023, 1080])
    return source.randrange(-(2**size), 2**size)


def floats(a, b):
    emit("mod", lambda a, b: a % b, a, b)
    emit("floordiv", lambda a, b: a // b, a, b)
    emit("fmod", math.fmod, a, b)
    emit("add", lambda a, b: a + b, a, b)
    emit("div", lambda a, b: a / b, a, b)
    emit("mul", lambda a, b: a * b, a, b)
    emit("copysign", math.copysign, a, b)
    emit("lt", lambda a, b: a < b, a, b)
    emit("eq", lambda a, b: a == b, a, b)
    # A negative base with a broken exponent leaves the floats.
    if not a < 0 or b == math.inf or b == -math.inf or b.is_integer():
        emit("pow", lambda a, b: a**b, a, b)


def one_float(a):
    emit("int", int, a)
    emit("floor", lambda a: float(math.floor(a)), a)
    emit("ceil", lambda a: float(math.ceil(a)), a)
    emit("round", lambda a: round(a), a)
    emit("sqrt", math.sqrt, a)
    if math.isfinite(a):
        print("repr", show(a), repr(a))


def wholes(a, b):
    emit("intdiv", lambda a, b: a / b, a, b)


def mixed(i, f):
    emit("ieq", lambda i, f: i == f, i, f)
    emit("ilt", lambda i, f: i < f, i, f)
    emit("ile", lambda i, f: i <= f, i, f)
    emit("igt", lambda i, f: i > f, i, f)
    emit("ige", lambda i, f: i >= f, i, f)


def main():
    source = random.Random(20)
    for a, b in itertools.product(SPECIAL, SPECIAL):
        floats(a, b)
    for a, b in itertools.product(WHOLE, WHOLE):
        wholes(a, b)
    for i, f in itertools.product(WHOLE, SPECIAL):
        mixed(i, f)
    for a in SPECIAL:
        one_float(a)
    for i in WHOLE:
        emit("float", float, i)
    for _ in range(1500):
        a, b = random_float(source), random_float(source)
        i, j = random_whole(source), random_whole(source)
        floats(a, b)
        one_float(a)
        wholes(i, j)
        mixed(i, a)
        emit("float", float, i)
        if math.isfinite(a):
            mixed(int(a) + source.randrange(-1, 2), a)


main()
