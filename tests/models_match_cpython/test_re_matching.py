"""How patterns are matched, on plain text: random patterns, compared with CPython's engine."""

import random
import re
import sys
import warnings

import pytest

_SINCE_3_11 = sys.version_info >= (3, 11)
_ATOMS = r"a b c a b . \d \w \s [ab] [^a] [a-c] \W [\d_] K \n é [^\w]".split()
_ANCHORS = r"^ $ \b \B \A \Z".split()
_BEHIND = r"a ab [ab] (?:a|b) . \b \d\w".split()
_COUNTS = ["*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}", "{,2}"]
_MANNERS = ["", "", "?", "+"] if _SINCE_3_11 else ["", "", "?"]
_FLAGS = [0, 0, 0, re.I, re.M, re.S, re.A, re.I | re.A, re.X]
_CHARACTERS = "aabbcK1_ \né\u212akB2"


class Patterns:
    """Draws patterns; the same ones for the same seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.groups = 0
        self.closed = []

    def pattern(self):
        """A compiled pattern of text or bytes."""
        while True:
            self.groups, self.closed = 0, []
            source = self._choice(3)
            if self.random.random() < 0.2:
                source = source.replace("é", "e").encode()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    return re.compile(source, self.random.choice(_FLAGS))
                except (re.error, ValueError):
                    continue

    def text(self, pattern):
        """A short text of the pattern's kind."""
        text = "".join(self.random.choices(_CHARACTERS, k=self.random.randrange(8)))
        return text if isinstance(pattern.pattern, str) else text.encode("latin-1", "ignore")

    def _choice(self, depth):
        count = 1 if self.random.random() < 0.7 else self.random.randrange(2, 4)
        return "|".join(self._sequence(depth) for _ in range(count))

    def _sequence(self, depth):
        return "".join(self._repeat(depth) for _ in range(self.random.randrange(4)))

    def _repeat(self, depth):
        atom = self._atom(depth)
        if self.random.random() < 0.4:
            atom += self.random.choice(_COUNTS) + self.random.choice(_MANNERS)
        return atom

    def _atom(self, depth):
        choose, chance = self.random.choice, self.random.random()
        if depth <= 0 or chance < 0.45:
            return choose(_ATOMS)
        if chance < 0.6:
            self.groups += 1
            number = self.groups
            inner = self._choice(depth - 1)
            self.closed.append(number)
            return f"({inner})"
        if chance < 0.7:
            return f"(?:{self._choice(depth - 1)})"
        if chance < 0.76:
            return choose(_ANCHORS)
        if chance < 0.82:
            return choose(["(?=%s)", "(?!%s)"]) % self._choice(depth - 1)
        if chance < 0.86:
            return choose(["(?<=%s)", "(?<!%s)"]) % choose(_BEHIND)
        return self._rare(depth, chance)

    def _rare(self, depth, chance):
        choose = self.random.choice
        if chance < 0.92 and self.closed:
            return f"\\{choose(self.closed)}"
        if chance < 0.94 and self.closed:
            yes, no = self._sequence(depth - 1), self._sequence(depth - 1)
            return f"(?({choose(self.closed)}){yes}|{no})"
        if chance < 0.96 and _SINCE_3_11:
            return f"(?>{self._choice(depth - 1)})"
        return f"(?{choose(['i', 's', 'm', '-i', 'a', 'i-s'])}:{self._choice(depth - 1)})"


class PlainSubject:
    """Plain text, as the matcher asks about it."""

    def __init__(self, text):
        self.codes = list(text) if isinstance(text, bytes) else list(map(ord, text))

    def has(self, position):
        return position < len(self.codes)

    def holds(self, position, units):
        return position < len(self.codes) and self.codes[position] in units

    def same(self, one, other, lower):
        from pef.models.regex import sre

        if max(one, other) >= len(self.codes):
            return False
        fold = {None: int, "unicode": sre.unicode_tolower, "ascii": sre.ascii_tolower}[lower]
        return fold(self.codes[one]) == fold(self.codes[other])


def cases(seed, count):
    """Random patterns with random texts and start positions."""
    drawn = Patterns(seed)
    for _ in range(count):
        pattern = drawn.pattern()
        for _ in range(10):
            text = drawn.text(pattern)
            yield pattern, text, min(drawn.random.choice((0, 0, 0, 1, 2)), len(text))


def found(match):
    return match and (list(match.regs), match.lastindex)


@pytest.mark.parametrize("seed", range(4))
def test_the_matcher_finds_what_cpython_finds(seed):
    from pef.models.regex.matcher import Matcher, TooMuchWorkError
    from pef.models.regex.program import program_of
    from pef.models.regex.syntax import syntax_of

    compared, odd = 0, set()
    for pattern, text, start in cases(seed, 400):
        syntax = syntax_of(pattern)
        program = program_of(syntax.root)
        for whole in (False, True):
            try:
                theirs = found((pattern.fullmatch if whole else pattern.match)(text, start))
                matcher = Matcher(program, syntax.groups, PlainSubject(text), 50_000)
                match = matcher.match(start, whole=whole)
            except (TooMuchWorkError, SystemError):
                continue
            ours = match and (match.spans(), match.last_group)
            compared += 1
            assert (ours and ours[0][0]) == (theirs and theirs[0][0]), (pattern, text, start)
            if ours != theirs:
                odd.add(pattern)
    assert compared > 7_000
    # CPython forgets to restore a group here and there, and sometimes notices (SystemError). A
    # match in symbolic text is compared with CPython's, and left to it if they differ.
    assert len(odd) <= 3, odd


@pytest.mark.parametrize("seed", range(4))
def test_a_formula_holds_for_the_texts_that_match(seed):
    from pef.models.regex.language import Question, formula, truth
    from pef.models.regex.syntax import syntax_of

    compared = 0
    for pattern, text, start in cases(seed, 300):
        asked = {
            Question(start, anywhere=False): pattern.match,
            Question(start, anywhere=False, whole=True): pattern.fullmatch,
            Question(start, anywhere=True): pattern.search,
        }
        for question, method in asked.items():
            wanted = formula(syntax_of(pattern), question)
            if wanted is not None:
                compared += 1
                expected = method(text, start) is not None
                assert truth(wanted, text) is expected, (pattern, text, question)
    assert compared > 3_000


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("positions", ["plain", "symbolic"])
def test_a_walk_through_choices_ends_where_cpython_does(seed, positions, monkeypatch):
    from pef.models.regex import guided
    from pef.models.regex.expressions import NotRegularError
    from pef.models.regex.syntax import syntax_of

    # From a position that is not plain on, the guide asks about the rest of the text.
    monkeypatch.setattr(guided, "is_symbolic", lambda position: positions == "symbolic")
    compared = 0
    for pattern, text, start in cases(seed, 500):
        for whole in (False, True):
            try:
                theirs = (pattern.fullmatch if whole else pattern.match)(text, start)
                if theirs is None:
                    continue
                guide = guided.Guide(syntax_of(pattern), text, start, whole=whole)
                ours = guide.located()
            except (NotRegularError, SystemError):
                continue
            compared += 1
            assert ours == found(theirs), (pattern, text, start, whole)
    assert compared > 600


@pytest.mark.parametrize("seed", range(3))
def test_counting_matches_is_what_findall_does(seed):
    from pef.models.regex.language import count_formula, truth
    from pef.models.regex.syntax import syntax_of

    sources = [r"\d+", "[ab]", r"a\w*", r"(\w)(-*)", "[ab]c*", r"[^,]+", "K+", "a(?i:k)*"]
    drawn = Patterns(seed)
    for source in sources:
        pattern = re.compile(source)
        for _ in range(100):
            text = drawn.text(pattern)
            for count in range(1, 5):
                wanted = count_formula(syntax_of(pattern), 0, count)
                expected = len(pattern.findall(text)) >= count
                assert truth(wanted, text) is expected, (source, text, count)
