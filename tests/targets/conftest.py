import textwrap

import pytest


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty current directory; the function it returns writes files into it."""
    monkeypatch.chdir(tmp_path)

    def write(name, text=""):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return write
