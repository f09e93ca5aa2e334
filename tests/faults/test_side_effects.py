"""What acts on the world outside is denied, and named with the option that allows it."""

import pytest


def named(checked, name="f"):
    [(kind, _, message)] = checked.of(name)
    assert kind == "side-effect"
    return message


@pytest.mark.row(18, 19, 20)
@pytest.mark.parametrize(
    "body, option",
    [
        ("open('out.txt', 'w')", "--allow write:out.txt"),
        ("os.open('out.txt', os.O_CREAT | os.O_WRONLY)", "--allow write:out.txt"),
        ("os.remove('precious.txt')", "--allow write:precious.txt"),
        ("os.rename('precious.txt', 'gone.txt')", "--allow write:precious.txt"),
        ("os.mkdir('folder')", "--allow write:folder"),
        ("os.truncate('precious.txt', 0)", "--allow write:precious.txt"),
        ("shutil.rmtree('.')", "--allow write:."),
        ("pathlib.Path('precious.txt').write_text('')", "--allow write:precious.txt"),
        ("socket.create_connection(('127.0.0.1', 1))", "--allow net:127.0.0.1"),
        ("socket.getaddrinfo('example.org', 80)", "--allow net:example.org"),
        ("socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "--allow net:HOST"),
        ("subprocess.run(['true'])", "--allow subprocess"),
        ("os.system('true')", "--allow subprocess"),
        ("os.posix_spawn('/bin/true', ['true'], {})", "--allow subprocess"),
        ("os.execv('/bin/true', ['true'])", "--allow subprocess"),
        ("os.fork()", "--allow subprocess"),
        ("os.kill(1, 0)", "--allow subprocess"),
    ],
)
def test_a_denied_call_is_named_with_the_option_that_allows_it(bench, body, option):
    (bench.folder / "precious.txt").write_text("precious")
    checked = bench.check(f"""
        import os, pathlib, shutil, socket, subprocess

        def f(x: int) -> int:
            if x > 3:
                {body}
            return x
    """)
    checked.fails(("side-effect", "f(4)"))
    assert named(checked).endswith(option)


# What no audit event tells, or not so that it could be judged.
@pytest.mark.row(18, 19, 20)
@pytest.mark.parametrize(
    "body, message",
    [
        ("os.mkfifo('fifo')", "mknodat() denied by pef, allowed with --allow all"),
        ("os.memfd_create('hidden')", "memfd_create() denied by pef, allowed with --allow all"),
        (
            "os.sendfile(os.open('out.txt', os.O_WRONLY), os.open('m.py', os.O_RDONLY), 0, 1)",
            "os.open('out.txt') denied by pef, allowed with --allow write:out.txt",
        ),
        (
            "socket.socketpair()[0].connect('/run/socket')",
            "socket.connect('/run/socket') denied by pef, allowed with --allow net:/run/socket",
        ),
        (
            "_socket.socket(2, 2, 0).send(b'x')",
            "socket.socket() denied by pef, allowed with --allow net:HOST",
        ),
    ],
    ids=["mkfifo", "memfd_create", "sendfile", "connect", "send"],
)
def test_a_hole_of_the_audit_hook_is_closed(bench, body, message):
    (bench.folder / "precious.txt").write_text("precious")
    checked = bench.check(f"""
        import _socket, os, socket

        def f(x: int) -> int:
            if x > 3:
                {body}
            return x
    """)
    checked.fails(("side-effect", "f(4)"))
    assert named(checked) == message


# What the library calls is denied with these arguments, whatever the kernel's name for it.
PRECIOUS = ("'precious.txt'", "--allow write:precious.txt")
FOREIGN = {
    "unlink(b'precious.txt')": PRECIOUS,
    "chmod(b'precious.txt', 0)": PRECIOUS,
    "chown(b'precious.txt', 1, 1)": PRECIOUS,
    "utimes(b'precious.txt', None)": PRECIOUS,
    "truncate(b'precious.txt', 0)": PRECIOUS,
    "rename(b'precious.txt', b'gone')": ("'precious.txt', 'gone'", "--allow write:precious.txt"),
    "creat(b'out.txt', 0o600)": ("'out.txt'", "--allow write:out.txt"),
    "open(b'out.txt', os.O_CREAT | os.O_WRONLY, 0o600)": ("'out.txt'", "--allow write:out.txt"),
    "socket(2, 1, 0)": ("", "--allow net:HOST"),
    "execv(b'/bin/true', None)": ("'/bin/true'", "--allow subprocess"),
    "kill(1, 0)": ("1", "--allow subprocess"),
    "fork()": ("", "--allow subprocess"),
}


def foreign(statement):
    """A module with a function for each call, which does `statement` with it."""
    functions = "".join(
        f"""
        def f{number}(x: int) -> int:
            if x > 3:
                {statement.format(f"LIBC.{call}")}
            return x
        """
        for number, call in enumerate(FOREIGN)
    )
    return f"""
        import ctypes, os

        LIBC = ctypes.CDLL(None)
        {functions}
    """


def test_what_foreign_code_tries_is_denied_and_named(bench):
    (bench.folder / "precious.txt").write_text("precious")
    checked = bench.check(foreign("assert {} >= 0"))
    for number, (arguments, option) in enumerate(FOREIGN.values()):
        checked.fails(("side-effect", f"f{number}(4)"), function=f"f{number}")
        ending = f"({arguments}) denied by pef, allowed with {option}"
        assert named(checked, f"f{number}").endswith(ending)


def test_what_foreign_code_is_denied_is_no_proof_even_if_nobody_looks(bench):
    (bench.folder / "precious.txt").write_text("precious")
    checked = bench.check(foreign("{}"))
    for number, (arguments, option) in enumerate(FOREIGN.values()):
        assert checked.of(f"f{number}") == []
        assert checked.function(f"f{number}")["verdict"] == "no-error-found"
        denied = f"({arguments}) was denied ({option})"
        reasons = checked.function(f"f{number}")["reasons"]
        assert any(reason.endswith(denied) for reason in reasons)


def test_a_failure_after_a_refusal_says_so(bench):
    (bench.folder / "precious.txt").write_text("precious")
    checked = bench.check("""
        import ctypes

        LIBC = ctypes.CDLL(None)

        def f(x: int) -> int:
            LIBC.unlink(b"precious.txt")
            return 1 // x
    """)
    checked.fails(("division-by-zero", "f(0)"))
    [found] = [each for each in checked.report["findings"] if each["function"].endswith(":f")]
    assert found["notes"] == ["unlink('precious.txt') was denied (--allow write:precious.txt)"]


def test_a_file_that_nobody_may_read_is_no_side_effect(bench):
    unreadable = "/proc/sys/vm/compact_memory"  # not even by root
    checked = bench.check(f"""
        def f(x: int) -> str:
            return open({unreadable!r}).read()
    """)
    checked.fails(("uncaught-exception", "f(0)"))
    assert "PermissionError" in checked.of("f")[0][2]


@pytest.mark.row(16)
def test_a_fork_bomb_of_foreign_code_does_not_go_off(bench):
    checked = bench.check(
        """
        import ctypes

        LIBC = ctypes.CDLL(None)

        def f(x: int) -> int:
            while x > 3:
                LIBC.fork()
            return x
        """,
        *("--timeout", "2"),
    )
    checked.fails(("timeout", "f(4)"))
    assert "clone() was denied (--allow subprocess)" in checked.function("f")["reasons"]


@pytest.mark.row(17)
def test_an_inherited_descriptor_is_closed(bench, tmp_path):
    inherited = tmp_path / "inherited.txt"
    with inherited.open("w") as file:
        number = file.fileno()
        checked = bench.check(
            f"""
            import os

            def f(x: int) -> int:
                if x > 3:
                    os.write({number}, b"x")
                return x
            """,
            pass_fds=(number,),
        )
    checked.fails(("uncaught-exception", "f(4)"))
    assert "Bad file descriptor" in checked.of("f")[0][2]
    assert inherited.read_text() == ""


@pytest.mark.parametrize(
    "body, kind",
    [
        ("signal.raise_signal(signal.SIGTERM)", "crash"),
        ("signal.setitimer(signal.ITIMER_REAL, 0.001); time.sleep(9)", "crash"),
        (
            "signal.signal(signal.SIGALRM, trip); signal.setitimer(0, 0.001); time.sleep(9)",
            "missing-key",
        ),
        ("signal.signal(signal.SIGTERM, trip); signal.raise_signal(signal.SIGTERM)", "missing-key"),
    ],
    ids=["raise_signal", "setitimer", "signal and setitimer", "signal and raise_signal"],
)
def test_a_signal_to_itself_ends_or_reaches_nobody_else(bench, body, kind):
    checked = bench.check(f"""
        import signal, time

        def trip(number, frame):
            return {{}}[number]

        def f(x: int) -> int:
            if x > 3:
                {body}
            return x
    """)
    checked.fails((kind, "f(4)"))


def test_a_refusal_that_is_handled_is_behaviour_and_no_proof(bench):
    checked = bench.check("""
        def f(x: int) -> int:
            try:
                open("out.txt", "w")
            except OSError:
                return 0
            return 1
    """)
    assert checked.of("f") == []
    assert checked.function("f")["verdict"] == "no-error-found"
    assert (
        "open('out.txt', 'w') was denied (--allow write:out.txt)"
        in checked.function("f")["reasons"]
    )


def test_what_is_allowed_happens(bench, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    source = f"""
        import os, subprocess, sys

        def f(x: int) -> int:
            with open({str(outside / "out.txt")!r}, "w") as file:
                file.write("x")
            return 1

        def g(x: int) -> int:
            return subprocess.run([sys.executable, "-c", "pass"]).returncode
    """
    checked = bench.check(source, "--allow", f"write:{outside}", "--allow", "subprocess")
    assert checked.of("f") == checked.of("g") == []
    assert (outside / "out.txt").read_text() == "x"


def test_temporary_files_and_reading_are_always_possible(bench):
    (bench.folder / "data.txt").write_text("seven")
    checked = bench.check("""
        import os, tempfile

        def f(x: int) -> int:
            with tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, "a"), "w") as file:
                    file.write("x")
            with open("data.txt") as file:
                return len(file.read()) // 5
    """)
    assert checked.function("f")["verdict"] == "proved"


def test_secrets_of_the_environment_are_not_to_be_seen(bench):
    checked = bench.check(
        """
        import os

        def f(x: int) -> int:
            return 1 // (os.environ.get("MY_TOKEN") is None and "HOME" in os.environ)
        """,
        env={"MY_TOKEN": "hunter2"},
    )
    assert checked.of("f") == []


@pytest.mark.parametrize("word", ["nonsense", "write", "net:", "write:"])
def test_a_permission_that_makes_no_sense_is_refused(bench, word):
    running = bench.start("m.py", "--allow", word)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 2
    assert b"write:PATH" in err
