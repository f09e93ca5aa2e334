"""Binary data: every row of the table, path counts, and inputs that are found."""

import sys

import pytest

from pef.models.table import operations

TYPES = ("bytes", "bytearray", "memoryview", "binary")
ROWS = [row for row in operations() if row.type in TYPES and row.since <= sys.version_info[:2]]
ROWS = list(dict.fromkeys((row.type, row.name) for row in ROWS))

OBJECTS_OWN = {name for name in dir(object) if name not in ("__eq__", "__hash__", "__repr__")}


@pytest.mark.parametrize(("kind", "name"), ROWS)
def test_every_path_agrees_with_cpython(kind, name, engine):
    from pef.selftest.report import compare_rows, select

    for case in compare_rows(select([f"{kind}.{name}"])):
        assert case.paths, case.program.case
        assert not case.mismatches, case.program.case


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_every_attribute_is_in_the_table(kind):
    names = {row.name for row in operations() if row.type == kind.__name__}
    names |= {f"__r{name[2:]}" for name in names if name.startswith("__")}
    names |= {"__str__", "__reduce_ex__", "__getstate__", "__init__"}
    names |= {"__buffer__", "__release_buffer__", "_from_flags"}
    assert not set(dir(kind)) - names - OBJECTS_OWN


@pytest.mark.parametrize("kind", ["bytes", "bytearray"])
def test_nine_of_ten_methods_keep_their_values(kind):
    rows = [row for row in operations() if row.type == kind and not row.name.startswith("_")]
    pinned = {row.name for row in rows if row.treatment.value == "pinned"}
    kept = {row.name for row in rows} - (pinned - {"decode"})
    assert len(kept) >= 0.9 * len({row.name for row in rows})


def test_stripping_takes_one_comparison(explore):
    seen = explore("def f(b):\n    return b.strip() == b'x'\n", "b")
    assert seen.paths == 1
    assert not seen.pins


def test_the_bytes_of_a_hash_are_found(explore):
    seen = explore(
        """
        def f(b):
            if len(b) != 3:
                return "length"
            h = 0x811C9DC5
            for c in b:
                h = ((h ^ c) * 0x01000193) & 0xFFFFFFFF
            return "found" if h == 0x774BA088 else "other"
        """,
        "b",
    )
    assert "'found'" in seen.results


def test_a_record_longer_than_its_data_is_found(explore):
    seen = explore(
        """
        import struct

        def f(b):
            if len(b) < 3:
                return None
            kind, size = struct.unpack(">BH", b[:3])
            body = b[3:]
            if kind == 7 and size >= 2:
                return body[size - 1]
        """,
        "b",
    )
    assert "IndexError" in seen.raised
    assert not seen.pins


def test_a_checksum_of_two_bytes_is_inverted(explore):
    seen = explore(
        """
        import zlib

        def f(b):
            if len(b) == 2 and zlib.crc32(b) == 0x9E83486D:
                return "found"
        """,
        "b",
    )
    assert "'found'" in seen.results
    assert (b"ab",) in seen.inputs


def test_bytes_that_are_no_text_are_found(explore):
    seen = explore(
        """
        def f(b):
            if len(b) < 3:
                b.decode()
        """,
        "b",
    )
    assert seen.raised == {"UnicodeDecodeError"}
    assert seen.exhaustive
    assert not seen.pins


def test_ascii_text_is_encoded_on_one_path(explore):
    seen = explore(
        """
        def f(s):
            if s.isascii():
                return s.encode() == b"k=v", s.encode("ascii"), s.encode("latin-1")
        """,
        "s",
    )
    assert seen.paths == 2
    assert seen.exhaustive


def test_text_survives_a_round_trip(explore):
    seen = explore(
        """
        def f(s):
            if len(s) == 1:
                assert s.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass") == s
        """,
        "s",
    )
    assert not seen.raised
    assert seen.exhaustive


def test_a_buffer_of_zeros_takes_symbolic_bytes(explore):
    seen = explore(
        """
        def f(x, y):
            buffer = bytearray(4)
            buffer[1] = x
            buffer[2:3] = y.to_bytes(1, "big")
            return "found" if buffer == b"\\0AB\\0" else "other"
        """,
        "xy",
    )
    assert "'found'" in seen.results
    assert not seen.pins


def test_what_c_code_writes_into_a_buffer_counts(explore):
    seen = explore(
        """
        import io

        def f(b):
            if len(b) == 2:
                buffer = bytearray(b)
                io.BytesIO(b"xy").readinto(buffer)
                return bytes(buffer)
        """,
        "b",
    )
    assert seen.results == {"None", "b'xy'"}


def test_c_code_gets_the_pinned_bytes_of_a_buffer(explore):
    seen = explore(
        """
        import hashlib

        def f(b):
            if len(b) == 1:
                return hashlib.md5(bytearray(b)).digest() == hashlib.md5(memoryview(b)).digest()
        """,
        "b",
        max_paths=5,
    )
    assert "True" in seen.results
    assert seen.pins


def test_a_view_of_an_array_sees_and_makes_its_changes(explore):
    seen = explore(
        """
        def f(x):
            buffer = bytearray(b"abc")
            view = memoryview(buffer)[1:]
            view[0] = x
            buffer[2] = x
            return view.tolist() == [65, 65], bytes(buffer)
        """,
        "x",
    )
    assert seen.raised == {"ValueError"}
    assert not seen.pins


def test_numbers_pass_through_bytes(explore):
    seen = explore(
        """
        def f(x):
            if 0 <= x < 2**16:
                data = x.to_bytes(2, "little")
                assert int.from_bytes(data, "little") == x
                return "swapped" if int.from_bytes(data, "big") == 0x1234 else "other"
        """,
        "x",
    )
    assert "'swapped'" in seen.results
    assert not seen.raised
    assert seen.exhaustive
