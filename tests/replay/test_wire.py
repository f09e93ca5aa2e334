"""Frames and records survive whatever a program says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pef.replay.wire import (
    Inbox,
    decode_calls,
    decode_message,
    decode_record,
    encode_calls,
    encode_message,
    encode_record,
)

texts = st.text(st.characters(), max_size=20)
records = st.dictionaries(texts, texts, max_size=5)


def first_body(data, cut):
    inbox = Inbox()
    inbox.feed(data[:cut])
    early = inbox.take()
    inbox.feed(data[cut:])
    return early if early is not None else inbox.take()


@given(records, st.integers(0, 40))
def test_records_come_back_as_they_were_however_they_are_cut(record, cut):
    assert decode_record(first_body(encode_record(record), cut)) == record


@given(records, st.integers(0, 40))
def test_messages_come_back_as_they_were_however_they_are_cut(message, cut):
    assert decode_message(first_body(encode_message(message), cut)) == message


@given(st.binary(max_size=30))
def test_bytes_that_are_no_record_are_refused_as_a_value_error(body):
    try:
        record = decode_record(body)
    except ValueError:
        return
    assert all(isinstance(part, str) for pair in record.items() for part in pair)


@pytest.mark.parametrize("body", [b"5:ab", b"x:a", b"1:a", b"-1:a1:b", b"hello"])
def test_damaged_records_are_refused(body):
    with pytest.raises(ValueError):
        decode_record(body)


calls = st.fixed_dictionaries(
    {"args": st.lists(texts), "kwargs": records, "variables": records, "result": texts}
)


@given(st.lists(calls, min_size=1))
def test_calls_survive_as_a_text_within_a_message(paths):
    message = encode_message({"together": encode_calls(paths)})
    assert decode_calls(decode_message(message[4:])["together"]) == paths


@pytest.mark.parametrize("text", ["", "{", "null", "{}", "[]", "[1]", "[[]]", '[["a", {}, {}]]'])
def test_what_is_no_list_of_calls_is_refused(text):
    with pytest.raises((ValueError, TypeError)):
        decode_calls(text)
