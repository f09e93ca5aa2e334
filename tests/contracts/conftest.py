import itertools
import linecache

import pytest

from pef.contracts import ContractError, read

_numbers = itertools.count()


def _load(source: str, first: str = "f"):
    """Runs source text as a module whose file can be read back; gives one of its functions."""
    file = f"<contract-{next(_numbers)}>"
    linecache.cache[file] = (len(source), None, [line + "\n" for line in source.split("\n")], file)
    namespace = {"__name__": "contracts_under_test", "__builtins__": __builtins__}
    exec(compile(source, file, "exec", dont_inherit=True), namespace)
    value = namespace
    for part in first.split("."):
        value = value[part] if isinstance(value, dict) else getattr(value, part)
    return value


def _with_docstring(body: str, signature: str = "x: int, y: int", prelude: str = ""):
    lines = "".join(f"    {line}".rstrip() + "\n" for line in body.split("\n"))
    return _load(f'{prelude}\ndef f({signature}):\n    """Text.\n\n{lines}    """\n')


@pytest.fixture(scope="session")
def load():
    return _load


@pytest.fixture(scope="session")
def contract():
    """Reads the contract of a function with the given docstring lines."""
    return lambda *args, **kwargs: read(_with_docstring(*args, **kwargs))


@pytest.fixture(scope="session")
def contract_error():
    """The error that reading the contract raises."""

    def fail(*args, **kwargs):
        with pytest.raises(ContractError) as caught:
            read(_with_docstring(*args, **kwargs))
        return caught.value

    return fail


@pytest.fixture(scope="session")
def texts():
    return lambda clauses: [clause.text for clause in clauses]
