"""Text made from values and values read from text, beyond what the self-check covers."""

import pytest


def test_a_number_is_found_through_its_text(explore):
    seen = explore("def f(x):\n    return 1 if f'{x:03d}' == '007' else 2\n")
    assert seen.results == {"1", "2"}
    assert (7,) in seen.inputs
    assert not seen.pins


def test_the_text_of_a_number_is_one_path_but_for_the_limit_on_digits(explore):
    seen = explore("def f(x):\n    return str(x) + '!'\n")
    assert seen.paths == 2
    assert seen.raised <= {"ValueError"}
    assert not seen.pins
    assert seen.exhaustive


def test_aligning_a_number_asks_nothing_about_it(explore):
    assert (
        explore("def f(x):\n    return f'{x % 1000:>6}|{x % 1000:<6}|{x % 1000:^6}'\n").paths == 1
    )


def test_an_unpadded_text_is_one_path(explore):
    seen = explore("def f(s):\n    return f'{s:>5}' + '%-5s' % s + '{:^5}'.format(s)\n", names="s")
    assert seen.paths == 1
    assert seen.exhaustive


def test_a_number_is_read_from_text(explore):
    seen = explore(
        "def f(s):\n    return 1 if int(s) * 2 + 1 == 2469 else 2\n", names="s", max_paths=8
    )
    assert ("1234",) in seen.inputs
    assert seen.raised == {"ValueError"}
    assert not seen.pins


def test_text_that_is_no_number_is_one_path(explore):
    seen = explore(
        """
        def f(s):
            try:
                int(s)
            except ValueError:
                return "bad"
            return "good"
        """,
        names="s",
        max_paths=12,
    )
    assert seen.results == {"'bad'", "'good'"}
    assert seen.paths <= 6
    assert seen.exhaustive


def test_the_message_of_an_error_can_be_looked_at(explore):
    seen = explore(
        """
        def f(s):
            try:
                return int(s)
            except ValueError as problem:
                return 1 if str(problem).endswith("'q'") else 2
        """,
        names="s",
        max_paths=12,
    )
    assert ("q",) in seen.inputs
    assert not seen.pins


@pytest.mark.parametrize(
    ("text", "expected"), [("0x1f", 31), ("-0b101", -5), ("0o17", 15), ("1_000", 1000)]
)
def test_prefixes_and_underscores_are_read(explore, text, expected):
    source = f"def f(s):\n    if s == {text!r}:\n        return int(s, 0)\n    return None\n"
    seen = explore(source, names="s")
    assert seen.results == {repr(expected), "None"}
    assert not seen.pins


def test_a_decimal_is_read_from_text(explore):
    seen = explore("def f(s):\n    return 1 if float(s) == -3.5 else 2\n", names="s", max_paths=12)
    assert seen.results == {"1", "2"}
    assert ("-3.5",) in seen.inputs


def test_what_is_written_reads_back(explore):
    seen = explore("def f(x):\n    return int(str(x)) == x == int(hex(x), 16)\n", max_paths=12)
    assert seen.results == {"True"}
    assert not seen.pins


def test_a_quoted_text_is_found(explore):
    seen = explore(
        """
        def f(s):
            if repr(s) == '"it\\'s"':
                return 1
            if repr(s) == "'a\\\\n'":
                return 2
            return 3
        """,
        names="s",
    )
    assert seen.results == {"1", "2", "3"}
    assert {("it's",), ("a\n",)} <= set(seen.inputs)
    assert not seen.pins


def test_containers_print_their_symbolic_items(explore):
    seen = explore(
        "def f(x):\n    return 1 if str([x % 10, {'k': (x,)}]) == \"[7, {'k': (7,)}]\" else 2\n"
    )
    assert seen.results == {"1", "2"}
    assert not seen.pins


def test_a_width_may_be_symbolic(explore):
    seen = explore("def f(x):\n    return 1 if f'{7:0{x % 4}d}' == '007' else 2\n")
    assert seen.results == {"1", "2"}
    assert not seen.pins


def test_constant_templates_with_a_tuple_lose_nothing(explore):
    # CPython makes f-strings of these.
    seen = explore("def f(s):\n    return 1 if '<%s>' % (s,) == '<ab>' else 2\n", names="s")
    assert ("ab",) in seen.inputs
    assert not seen.pins


def test_text_that_c_code_asks_for_is_pinned(explore):
    seen = explore(
        """
        from functools import partial

        def f(x):
            return repr(partial(int, x))
        """,
        max_paths=3,
    )
    assert seen.pins == {"str()"}


def test_code_without_source_pins_what_it_formats(explore):
    seen = explore(
        """
        namespace = {}
        exec("def g(x):\\n    return f'<{x}>'", namespace)
        g = namespace["g"]

        def f(x):
            return g(x)
        """,
        max_paths=3,
    )
    assert seen.pins


def test_roman_numerals_that_do_not_read_back_are_found(explore):
    seen = explore(
        """
        VALUES = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
                  (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IIII"), (1, "I")]
        LETTERS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

        def to_roman(n):
            text = ""
            for value, letters in VALUES:
                while n >= value:
                    text += letters
                    n -= value
            return text

        def from_roman(text):
            total = last = 0
            for letter in reversed(text):
                value = LETTERS[letter]
                total += value if value >= last else -value
                last = value
            return total

        def f(x):
            if not 1 <= x <= 30:
                return None
            text = to_roman(x)
            return "same" if from_roman(text) == x and "IIII" not in text else "another"
        """,
        max_paths=60,
    )
    assert "'another'" in seen.results
    assert not seen.pins


def test_containers_of_the_library_keep_the_text_of_their_items(explore):
    seen = explore(
        """
        from collections import OrderedDict, defaultdict, deque

        class Item:
            def __init__(self, number):
                self.number = number

            def __repr__(self):
                return "<" + str(self.number) + ">"

        def f(x):
            item = Item(x)
            shown = repr(deque([item], 2)), repr(defaultdict(int, a=item)), repr({1: item}.values())
            if "<7>" in shown[0] and "<7>" in shown[1] and "<7>" in shown[2]:
                return shown
            return "<7>" in repr(OrderedDict(a=item))
        """,
        max_paths=4,
    )
    shown = "deque([<7>], maxlen=2)", "defaultdict(<class 'int'>, {'a': <7>})", "dict_values([<7>])"
    assert seen.results >= {repr(shown), "False"}
    assert not seen.pins


def test_containers_that_hold_themselves_are_shown_as_cpython_does(explore):
    seen = explore(
        """
        from collections import OrderedDict, defaultdict, deque

        def f(x):
            queue, ordered, default = deque([x]), OrderedDict(a=x), defaultdict(list, a=x)
            queue.append(queue)
            ordered["b"] = ordered
            default["b"] = default
            return [repr(queue), repr(ordered), repr(default)]
        """,
        max_paths=1,
    )
    assert len(seen.results) == 1


def test_the_message_of_a_coding_error_pins_the_character_it_shows(explore):
    seen = explore(
        """
        def f(s):
            try:
                s.encode("ascii")
            except UnicodeError as problem:
                return str(problem)
            return ""
        """,
        names="s",
        max_paths=3,
    )
    assert seen.pins == {"argument of UnicodeError.__str__()"}


def test_the_place_of_a_coding_error_is_pinned(explore):
    seen = explore(
        """
        def f(x):
            return str(UnicodeDecodeError("utf-8", b"abcdef", x % 4, 5, "why"))
        """,
        max_paths=4,
    )
    assert seen.pins == {"argument of UnicodeDecodeError()"}


def test_a_function_that_makes_a_replacement_may_return_symbolic_text(explore):
    seen = explore(
        """
        import re
        import string

        def f(x):
            if re.sub("b", lambda match: str(x), "abc") == "a12c":
                return 1
            return 2 if string.Template("$a").substitute(a=x) == "7" else 3
        """,
        max_paths=4,
    )
    assert seen.results >= {"1", "2", "3"}
    assert not seen.pins
