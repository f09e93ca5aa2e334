"""What a process asks of the kernel, and what it does before others are forked from it."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

PACKAGES = str(Path(__import__("pef").__file__).parents[1])
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has it")


def said_by(source, **environment):
    """The words that a program prints."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(source)],
        env={**os.environ, "PYTHONPATH": PACKAGES, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@linux
def test_a_refusal_of_the_kernel_is_an_oserror_with_its_number():
    said = said_by("""
        import errno, os
        from pef import _native

        def number(call, *args):
            try:
                call(*args)
            except OSError as problem:
                assert problem.strerror == os.strerror(problem.errno)
                return errno.errorcode[problem.errno]

        print(number(_native.install_filter, bytes(8)))  # no program ends like that
        layers = 0
        while not (refused := number(_native.restrict_files, ["/dev/null"])):
            layers += 1
        print(refused, layers > 0)
    """)
    assert said == ["EINVAL", "E2BIG", "True"]


@linux
def test_what_does_not_exist_is_allowed_where_it_would_be_made(tmp_path):
    said = said_by(f"""
        import os
        from pef import _native

        _native.restrict_files([{str(tmp_path / "mine" / "new")!r}])
        os.makedirs({str(tmp_path / "mine" / "new")!r})
        try:
            open({str(tmp_path.parent / "other")!r}, "w")
        except PermissionError:
            print("denied")
    """)
    assert said == ["denied"]


@linux
def test_a_thread_has_another_name_until_it_gets_its_own_back():
    said = said_by("""
        from pef import _native

        before = _native.rename_thread(b"pef-0123456789")
        assert open("/proc/self/comm").read() == "pef-0123456789\\n"
        assert _native.rename_thread(before) == b"pef-0123456789"
        assert open("/proc/self/comm").read().encode() == before + b"\\n"
        try:
            _native.rename_thread(b"sixteen is a lot")
        except ValueError:
            print("too long")
    """)
    assert said == ["too", "long"]


@linux
def test_a_process_dies_with_the_one_that_forked_it():
    said = said_by("""
        import os, time
        from pef import _native

        reader, writer = os.pipe()
        if os.fork() == 0:
            if os.fork() == 0:
                _native.die_with_parent()
                os.write(writer, b"born ")
                time.sleep(60)
                os.write(writer, b"survived")
            os.read(reader, 5)
            os._exit(0)
        os.wait()
        os.close(writer)
        print("left:", os.read(reader, 100).decode())
    """)
    assert said == ["left:"]


@linux
def test_what_a_child_leaves_behind_comes_to_the_reaper():
    said = said_by("""
        import os, time
        from pef.isolation.orphans import become_reaper, end_orphans

        become_reaper()
        reader, writer = os.pipe()
        if os.fork() == 0:
            if os.fork() == 0:
                os.setsid()
                time.sleep(60)
            os._exit(0)
        os.wait()
        os.close(writer)
        end_orphans(set())
        print(os.read(reader, 1))
    """)
    assert said == ["b''"]


def test_a_limit_is_never_raised():
    said = said_by("""
        import resource
        from pef import _native

        def limits():
            kinds = (resource.RLIMIT_FSIZE, resource.RLIMIT_CPU, resource.RLIMIT_CORE)
            return [resource.getrlimit(kind) for kind in kinds]

        _native.lower_limits(file_size=1000, seconds=5.5)
        lowered = limits()
        _native.lower_limits(file_size=2000, seconds=50, memory=1 << 50, processes=1 << 20)
        assert limits() == lowered, limits()
        print(*[hard for _, hard in lowered], all(soft == hard for soft, hard in lowered))
    """)
    assert said[0] == "1000"
    assert 6 <= int(said[1]) <= 8  # and what it took to start
    assert said[2:] == ["0", "True"]


def test_secrets_are_found_before_the_fork_and_gone_after_it():
    said = said_by(
        """
        import os
        from pef.isolation import limits

        limits.note_secrets()
        print(os.environ["SOME_TOKEN"])
        if os.fork() == 0:
            os.environ.pop("OTHER_TOKEN")  # nobody misses it
            limits.scrub()
            print(*[name for name in os.environ if "TOKEN" in name], os.environ["TZ"], flush=True)
            os._exit(0)
        os.wait()
        print(os.environ["SOME_TOKEN"])
        """,
        SOME_TOKEN="x",
        OTHER_TOKEN="y",
        PYTHONUNBUFFERED="1",
    )
    assert said == ["x", "UTC", "x"]


def test_what_is_prepared_changes_nothing_until_it_is_put_in_place():
    said = said_by(
        """
        import builtins, os, time
        from pef.isolation import ambient

        def seen():
            return {(home, name): value for home in (time, os, builtins)
                    for name, value in vars(home).items()}

        before = seen()
        ambient.prepare()
        assert seen() == before
        if os.fork() == 0:
            ambient.fix()
            print(*sorted(name for (_, name), value in seen().items()
                          if value is not before.get((_, name))), flush=True)
            os._exit(0)
        os.wait()
        assert seen() == before
        """,
    )
    assert {"id", "getpid", "urandom", "time", "sleep", "monotonic_ns", "strftime"} <= set(said)


def test_streams_lead_nowhere_whatever_was_made_of_them(tmp_path):
    said = said_by(f"""
        import os
        from pef.isolation.nowhere import lead_nowhere, leads_nowhere

        spare = os.dup(1)
        lead_nowhere(2)
        before = os.fstat(2)
        os.close(0)
        os.dup2(os.open({str(tmp_path / "out")!r}, os.O_WRONLY | os.O_CREAT), 1)
        assert not leads_nowhere(0) and not leads_nowhere(1) and leads_nowhere(2)
        lead_nowhere(0, 1, 2)
        told = [leads_nowhere(each) and os.get_inheritable(each) for each in (0, 1, 2)]
        assert os.write(1, b"x") == 1 and os.read(0, 1) == b""
        assert os.path.samestat(before, os.fstat(2))
        os.write(spare, str(all(told)).encode())
    """)
    assert said == ["True"]
