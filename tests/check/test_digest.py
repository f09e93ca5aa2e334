"""A function's digest changes if what it can reach changes, and with nothing else."""

import time
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pef.checking.digest import Project, digests, environment
from pef.checking.discovery import discover
from pef.checking.outline import without_comments


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Written(tmp_path)


class Written:
    """A project on disk."""

    def __init__(self, folder):
        self._folder = folder

    def write(self, **modules):
        """Write modules; one in a package is called `package__module`."""
        for name, text in modules.items():
            path = self._path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text))

    def _path(self, module):
        name = module.replace("__", "/").replace("/init", "/__init__")
        return self._folder / f"{name}.py"

    def edit(self, module, old, new):
        path = self._path(module)
        text = path.read_text()
        assert text.count(old) == 1, (old, text)
        path.write_text(text.replace(old, new))

    def digests(self, *words):
        found = digests(discover(words or ["."]).modules)
        return {f"{Path(path).stem}.{name}": digest for (path, name), digest in found.items()}

    def changed(self, *edits, words=()):
        """Return the functions that must be analysed again after some edits."""
        before = self.digests(*words)
        for edit in edits:
            self.edit(*edit)
        after = self.digests(*words)
        assert set(before) == set(after)
        return {name for name, digest in after.items() if digest != before[name]}


CALLS = """
    def leaf(x):
        return x + 1

    def middle(x):
        return leaf(x) * 2

    def top(x):
        def inner():
            return middle(x)
        return inner()

    def alone(x):
        leaf_count = 3
        return leaf_count
"""


def test_a_function_and_its_callers_change_with_it(project):
    project.write(m=CALLS)
    assert project.changed(("m", "x + 1", "x + 2")) == {"m.leaf", "m.middle", "m.top"}
    assert project.changed(("m", "* 2", "* 3")) == {"m.middle", "m.top"}
    assert project.changed(("m", "leaf_count = 3", "leaf_count = 4")) == {"m.alone"}


def test_local_names_are_not_those_of_functions(project):
    project.write(
        m="def total(x): return 1\ndef f(total): return total\ndef g(total=0): x = total\n"
    )
    assert project.changed(("m", "return 1", "return 2")) == {"m.total"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def middle", "\n\n# About it.\n\ndef middle"),
        ("x + 1", "x + 1  # plus one"),
        ("def leaf", "# pef: nothing\ndef leaf"),
        ("def alone(x):", "def added(x): return leaf(x)\n\n    def alone(x):"),
    ],
)
def test_comments_and_what_is_elsewhere_change_nothing(project, old, new):
    project.write(m=dedent(CALLS))
    before = project.digests()
    project.edit("m", old, dedent(new).replace("\n    def", "\ndef"))
    after = project.digests()
    assert {name: after[name] for name in before} == before


def test_the_order_of_functions_does_not_matter(project):
    project.write(m="def f(): return g()\n\ndef g(): return 1\n")
    before = project.digests()
    project.write(m="def g(): return 1\n\n\ndef f(): return g()\n")
    assert project.digests() == before


def test_a_comment_sign_in_a_text_is_not_a_comment(project):
    project.write(m='def f(): return \'#1\'\ndef g(): return """\n# 1 """\n')
    assert project.changed(("m", "#1", "#2")) == {"m.f"}
    assert project.changed(("m", "# 1", "# 2")) == {"m.g"}


@pytest.mark.parametrize(
    "line",
    ['x = f"{d["#1"]}"', "x = '\\'' # it's", 'x = "a" "#b"', "x = '''#'''", "x = r'\\'  # a'"],
)
def test_nothing_but_comments_is_cut_off(line):
    kept = without_comments(line + "\n").rstrip("\n")
    assert line.startswith(kept)
    assert "#" in kept or line[len(kept) :].strip().startswith("#")
    assert without_comments(line.replace("#1", "#2")) != without_comments(line) or "#1" not in line


def test_docstrings_count_and_contracts_are_followed(project):
    project.write(
        m='''
        def is_good(x):
            return x > 1

        def f(x):
            """Return it.

            :ensure: is_good(returnv)
            """
            return x

        def g(x):
            """Not that is_good would matter."""
            return x
        '''
    )
    assert project.changed(("m", "x > 1", "x > 2")) == {"m.is_good", "m.f"}
    assert project.changed(("m", "Return it", "Returns it")) == {"m.f"}


def test_statements_of_a_module_count_for_all_that_import_it(project):
    project.write(
        a="LIMIT = 1\ndef f(): return 1\n",
        b="import a\ndef g(): return 1\n",
        c="def h(): return 1\n",
    )
    assert project.changed(("a", "LIMIT = 1", "LIMIT = 2")) == {"a.f", "b.g"}


def test_functions_called_by_statements_count_for_all(project):
    project.write(
        m="""
        def made(): return 1
        def registered(): return 1
        def maker(): return 1
        registered()
        TABLE = made()
        def f(): return 1
        def g(): return TABLE
        if __name__ == "__main__":
            maker()
        """
    )
    assert project.changed(("m", "made(): return 1", "made(): return 2")) == {
        *("m.made", "m.f", "m.g", "m.registered", "m.maker")
    }
    assert project.changed(("m", "maker(): return 1", "maker(): return 2")) == {"m.maker"}


def test_a_table_of_functions_counts_for_those_who_use_it(project):
    project.write(
        m="""
        def one(): return 1
        HANDLERS = {"one": one}
        def f(): return HANDLERS["one"]()
        def g(): return 1
        """
    )
    assert project.changed(("m", "one(): return 1", "one(): return 2")) == {"m.one", "m.f"}


def test_what_a_decorator_collects_counts_for_those_who_use_the_collection(project):
    project.write(
        m="""
        HANDLERS = {}
        def collect(function):
            HANDLERS[function.__name__] = function
            return function
        @collect
        def one(): return 1
        def f(): return HANDLERS["one"]()
        def g(): return 1
        """
    )
    assert project.changed(("m", "one(): return 1", "one(): return 2")) == {
        *("m.one", "m.f", "m.collect")
    }


def test_imports_lead_to_other_files_even_if_those_are_not_analysed(project):
    project.write(
        pkg__init="",
        pkg__a="from .b import helper as h\nfrom . import c\ndef f(): return h() + c.other()\n",
        pkg__b="def helper(): return 1\ndef unused(): return 1\n",
        pkg__c="def other(): return 1\n",
    )
    words = ["pkg/a.py"]
    assert project.changed(("pkg__b", "helper(): return 1", "helper(): return 2"), words=words)
    assert project.changed(("pkg__c", "other(): return 1", "other(): return 2"), words=words)
    edit = ("pkg__b", "unused(): return 1", "unused(): return 2")
    assert not project.changed(edit, words=words)


def test_another_name_in_another_file_leads_to_the_function(project):
    project.write(
        pkg__init="from .impl import _hidden as shown\n",
        pkg__impl="def _hidden(): return 1\n",
        user="from pkg import shown\ndef f(): return shown()\ndef g(): return 1\n",
    )
    assert project.changed(("pkg__impl", "return 1", "return 2"), words=["user.py"]) == {"user.f"}


def test_digests_do_not_depend_on_what_else_is_analysed(project):
    project.write(
        a="import b\ndef f(): return b.g()\n", b="def g(): return 1\n", c="def g(): return 1\n"
    )
    assert project.digests("a.py")["a.f"] == project.digests(".")["a.f"]


CLASSES = """
    class Base:
        def __init__(self): self.x = 1
        def shared(self): return 1

    class Point(Base):
        unit = 1
        def norm(self): return self.shared()
        def other(self): return 1
        def __add__(self, other): return 1
        @property
        def size(self): return 1

    def f(p: Point): return p.norm()
    def g(p: "Point"): return p + p
    def h(a): return a.size
    def k(a): return 1
"""


@pytest.mark.parametrize(
    ("old", "expected"),
    [
        ("shared(self): return 1", {"Base.shared", "Point.norm", "f"}),
        ("norm(self): return self", {"Point.norm", "f"}),
        ("other(self): return 1", {"Point.other"}),
        ("size(self): return 1", {"Point.size", "h"}),
    ],
)
def test_methods_count_for_whoever_uses_their_name(project, old, expected):
    project.write(m=CLASSES)
    changed = project.changed(
        ("m", old, old.replace("1", "2").replace("return self", "return 0 + self"))
    )
    assert changed == {f"m.{name}" for name in expected}


@pytest.mark.parametrize("old", ["self.x = 1", "__add__(self, other): return 1", "unit = 1"])
def test_what_needs_no_name_counts_for_whoever_knows_the_class(project, old):
    project.write(m=CLASSES)
    changed = project.changed(("m", old, old.replace("1", "2")))
    assert {"m.f", "m.g"} <= changed and not changed & {"m.h", "m.k"}


def test_classes_below_a_class_count_for_whoever_knows_it(project):
    project.write(
        m="""
        class Base: pass
        class Below(Base): pass
        class Lowest(Below):
            def __init__(self): self.x = 1
        def f(b: Base): return b
        def g(b: int): return b
        class Bag(Sized):
            def __len__(self): return 1
        def h(b: Sized): return len(b)
        """
    )
    assert project.changed(("m", "self.x = 1", "self.x = 2")) == {"m.Lowest.__init__", "m.f"}
    assert project.changed(("m", "__len__(self): return 1", "__len__(self): return 2")) == {
        *("m.Bag.__len__", "m.h")
    }


def test_looking_names_up_at_run_time_reaches_everything(project):
    project.write(
        m="""
        class C:
            def handle_a(self): return 1
            def known(self): return getattr(self, "handle_b")()
            def any(self, name): return getattr(self, "handle_" + name)()
            def handle_b(self): return 1
        """
    )
    assert project.changed(("m", "handle_a(self): return 1", "handle_a(self): return 2")) == {
        *("m.C.handle_a", "m.C.any")
    }
    assert project.changed(("m", "handle_b(self): return 1", "handle_b(self): return 2")) == {
        *("m.C.handle_b", "m.C.known", "m.C.any")
    }


def test_modules_imported_by_name_count(project):
    project.write(
        pkg__init="",
        pkg__a="""
            import importlib
            def f(name): return importlib.import_module("pkg.plug_" + name).LIMIT
            def g(name): return 1
            """,
        pkg__plug_x="LIMIT = 1\n",
        other="LIMIT = 1\n",
    )
    assert project.changed(("pkg__plug_x", "1", "2"), words=["pkg/a.py"]) == {"a.f", "a.g"}
    assert project.changed(("other", "1", "2"), words=["pkg/a.py"]) == set()


def test_callbacks_of_a_library_class_count_for_the_class(project):
    project.write(
        m="""
        import ast
        class V(ast.NodeVisitor):
            def visit_Name(self, node): return 1
        def f(tree): return V().visit(tree)
        def g(): return 1
        """
    )
    assert project.changed(("m", "node): return 1", "node): return 2")) == {
        *("m.V.visit_Name", "m.f")
    }


def test_a_file_that_does_not_compile_is_one_piece(project):
    project.write(m="def f(): return 1\nreturn 3\n", n="def g(): return 1\n")
    assert project.changed(("m", "return 3", "return 4")) == {"m.f"}


def test_a_broken_import_is_noticed_when_it_is_mended(project):
    project.write(a="import b\ndef f(): return 1\n", b="def g(:\n")
    before = project.digests("a.py")
    project.write(b="def g(): pass\n")
    assert project.digests("a.py") != before


NAMES = [f"m{m}_f{n}" for m in range(3) for n in range(4)]


@st.composite
def call_graphs(draw):
    """Return who calls whom; a module imports only earlier ones and itself."""
    graph = {}
    for position, name in enumerate(NAMES):
        callable_here = [each for each in NAMES if each[1] <= name[1]]
        graph[name] = draw(st.lists(st.sampled_from(callable_here), max_size=2, unique=True))
    return graph


def sources(graph, constants, gaps):
    modules = {}
    for m in range(3):
        mine = [name for name in NAMES if name.startswith(f"m{m}_")]
        called = sorted({each for name in mine for each in graph[name]} - set(mine))
        lines = [f"from {each[:2]} import {each}" for each in called]
        for name in mine:
            lines += [""] * gaps[name]
            calls = "".join(f" + {each}(x)" for each in graph[name])
            lines += [f"def {name}(x):", f"    return {constants[name]}{calls}"]
        modules[f"m{m}"] = "\n".join(lines) + "\n"
    return modules


def reaching(graph, target):
    """Return the functions from which a function can be reached."""
    found, grown = {target}, True
    while grown:
        callers = {name for name, called in graph.items() if found & set(called)}
        grown = not callers <= found
        found |= callers
    return found


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(graph=call_graphs(), data=st.data())
def test_exactly_the_functions_that_reach_an_edit_are_analysed_again(tmp_path_factory, graph, data):
    project = Written(tmp_path_factory.mktemp("project"))
    constants = dict.fromkeys(NAMES, 0)
    gaps = dict.fromkeys(NAMES, 1)
    where = str(project._folder)
    project.write(**sources(graph, constants, gaps))
    before = project.digests(where)
    for _ in range(2):
        edited = data.draw(st.sets(st.sampled_from(NAMES), max_size=2))
        for name in edited:
            constants[name] += 1
        gaps = {name: data.draw(st.integers(0, 3)) for name in NAMES}
        project.write(**sources(graph, constants, gaps))
        after = project.digests(where)
        changed = {name.partition(".")[2] for name in after if after[name] != before[name]}
        assert changed == set().union(*(reaching(graph, name) for name in edited))
        before = after


def test_a_hundred_functions_take_little_time(project):
    body = "\n".join(f"    x = f{{0}}(x) + {n}  # step" for n in range(15))
    modules = {}
    for m in range(5):
        functions = [
            f"def m{m}_f{n}(x: int) -> int:\n" + body.format(n + 1) + "\n    return x\n"
            for n in range(20)
        ]
        modules[f"m{m}"] = "\n\n".join(functions)
    for name, text in modules.items():
        (project._folder / f"{name}.py").write_text(text)
    units = discover(["."]).modules
    assert sum(len(unit.functions) for unit in units) == 100

    def seconds():
        start = time.process_time()
        digests(units)
        return time.process_time() - start

    assert min(seconds() for _ in range(5)) < 0.1


def test_a_module_that_was_saved_after_a_run_began_is_not_what_it_imported(project):
    project.write(m="from other import g\n\ndef f(x: int) -> int:\n    return g(x)\n")
    project.write(other="def g(x): return x\n")
    [unit] = discover(["m.py"]).modules
    read = Project([unit])
    assert read.is_as_read(unit.path, time.time_ns() + 10**9)
    assert not read.is_as_read(unit.path, time.time_ns() - 10**9)


def test_the_environment_is_the_same_until_something_changes(monkeypatch):
    before = environment()
    assert environment() == before
    monkeypatch.setattr("sys.version", "4.0")
    assert environment() != before


def test_what_is_installed_is_part_of_the_environment(monkeypatch, tmp_path):
    folder = tmp_path / "site-packages"
    (folder / "lib-1.0.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(folder))
    before = environment()
    (folder / "__pycache__").mkdir()
    (folder / "lib-1.0.dist-info/RECORD").write_text("")
    assert environment() == before
    (folder / "lib-1.0.dist-info/direct_url.json").write_text("{}")
    from_folder = environment()
    assert from_folder != before
    (folder / "lib-1.0.dist-info").rename(folder / "lib-1.1.dist-info")
    assert environment() not in (before, from_folder)
