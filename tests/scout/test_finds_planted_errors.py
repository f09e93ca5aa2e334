"""Errors the scout must find, within a number of calls."""

import pytest

from pef.inputs.recipes import Names
from pef.scout.run import written

PLANTED = {
    "key_and_value": (ZeroDivisionError, 6_000),
    "five_fields": (ZeroDivisionError, 20_000),
    "stamp": (IndexError, 2_000),
    "section_header": (ValueError, 500),
    "dispatched": (ZeroDivisionError, 1_000),
    "named_by_default": (TypeError, 6_000),
    "nested": (IndexError, 20_000),
    "not_a_number": (ValueError, 50),
    "edge_of_a_word": (OverflowError, 200),
    "inner_color": (AttributeError, 5_000),
    "option": (ZeroDivisionError, 500),
    "header": (IndexError, 1_000),
    "many": (IndexError, 1_000),
    "tagged": (IndexError, 5_000),
}


def test_every_planted_function_is_looked_at(planted):
    functions = {
        name
        for name, value in vars(planted).items()
        if getattr(value, "__module__", None) == planted.__name__
        and type(value).__name__ == "function"
        and not name.startswith("_")
    }
    assert functions == set(PLANTED)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_error_is_found_and_fails_again_when_pasted(planted, scouting, name, seed):
    kind, calls = PLANTED[name]
    search = scouting(getattr(planted, name), calls=calls, seed=seed)
    found = next((each for each in search if type(each.exception) is kind), None)
    assert found is not None, search.ended
    arguments = ", ".join(
        [
            *found.args_source,
            *(f"{key}={value}" for key, value in found.kwargs_source.items()),
        ]
    )
    with pytest.raises(kind):
        eval(f"{name}({arguments})", vars(planted))


def test_what_is_shown_is_small(planted, scouting):
    def smallest(name, kind):
        search = scouting(getattr(planted, name), calls=PLANTED[name][1])
        return next(each.args_source for each in search if type(each.exception) is kind)

    assert smallest("section_header", ValueError) == ["'[['"]
    assert smallest("edge_of_a_word", OverflowError) == ["2147483648"]
    assert smallest("not_a_number", ValueError) == ["float('nan')"]
    assert smallest("nested", IndexError) in (
        ["{'low': [], 'high': []}"],
        ["{'high': [], 'low': []}"],
    )


def test_seeds_are_inputs_that_reached_something_new(planted, scouting):
    search = scouting(planted.section_header, calls=500)
    list(search)
    values = [seed.values for seed in search.seeds]
    assert values[0] == ("",)
    assert any(text.startswith("[[") for (text,) in values)
    assert [eval(seed.args_source[0]) for seed in search.seeds] == [text for (text,) in values]


def test_written_arguments_follow_the_signature(planted, scouting):
    search = scouting(planted.many)
    shape = search._parameters.shape
    sample = next(each for each in shape.simple() if len(each.content[0].content) == 2)
    args, kwargs = written(sample, search._parameters.all, Names({}))
    assert len(args) == 2
    assert list(kwargs) == ["strict"]
