"""Models that are loaded by name."""

import math
import subprocess
import sys

from pef import models
from pef.models import floats, later


def test_every_name_is_that_of_a_model():
    models.install()
    names = later.everything()
    assert len(names) > 150
    assert [each for each in names if not callable(later.loaded(each))] == []


def test_every_function_of_mathematics_that_has_a_model_is_registered():
    from pef.models.floats.mathematics import MODELS

    assert set(floats._MATHEMATICS.split()) == set(vars(MODELS))
    assert all(hasattr(math, name) for name in vars(MODELS))


def test_words_load_the_rooms_of_what_they_may_call():
    program = (
        "import sys\n"
        "from pef import models\n"
        "models.install()\n"
        "rooms = {'pef.models.text.casing', 'pef.models.ranges', 'pef.models.twins.dates'}\n"
        "print(sorted(rooms & sys.modules.keys()))\n"
        "models.install({'x', 'upper', 'datetime'})\n"
        "print(sorted(rooms & sys.modules.keys()))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "[]",
        "['pef.models.text.casing', 'pef.models.twins.dates']",
    ]


def test_a_model_replaces_the_one_that_loads_it(explore):
    seen = explore(
        """
        def f(x):
            return [len(range(each, x)) for each in (1, 2)]
        """,
        max_paths=4,
    )
    assert seen.pins == set()
