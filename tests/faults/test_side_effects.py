"""What acts on the world outside is denied, and named with the option that allows it."""

import pytest


def named(checked, name="f"):
    [(kind, _, message)] = checked.of(name)
    assert kind == "side-effect"
    return message


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
    assert named(checked).endswith(option)
    assert checked.of("f")[0][1] == "f(4)"


@pytest.mark.parametrize(
    "body",
    [
        "os.mkfifo('fifo')",
        "os.memfd_create('hidden')",
        "os.sendfile(os.open('out.txt', os.O_WRONLY), os.open('precious.txt', os.O_RDONLY), 0, 1)",
        "CALL(LIBC.unlink(b'precious.txt'))",
        "CALL(LIBC.open(b'out.txt', os.O_CREAT | os.O_WRONLY, 0o600))",
        "CALL(LIBC.socket(2, 1, 0))",
        "CALL(LIBC.execv(b'/bin/true', None))",
        "CALL(LIBC.kill(1, 0))",
        "CALL(LIBC.fork())",
    ],
)
def test_what_no_audit_event_tells_is_denied_by_the_kernel(bench, body):
    (bench.folder / "precious.txt").write_text("precious")
    checked = bench.check(f"""
        import ctypes, os

        LIBC = ctypes.CDLL(None, use_errno=True)

        def CALL(result):
            if result == 0:
                os._exit(0)  # the child of a fork
            if result < 0:
                raise OSError(ctypes.get_errno(), "refused") from None
            return result

        def f(x: int) -> int:
            if x > 3:
                {body}
            return x
    """)
    found = checked.of("f")
    assert all("f(4)" == call for _, call, _ in found)
    if "CALL" not in body:
        assert [name for name, _, _ in found] == ["side-effect"]


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
    assert "Bad file descriptor" in checked.of("f")[0][2]
    assert inherited.read_text() == ""


@pytest.mark.parametrize(
    "body",
    [
        "signal.raise_signal(signal.SIGTERM)",
        "signal.setitimer(signal.ITIMER_REAL, 0.001); time.sleep(9)",
    ],
)
def test_a_signal_to_itself_is_a_crash(bench, body):
    checked = bench.check(f"""
        import signal, time

        def f(x: int) -> int:
            if x > 3:
                {body}
            return x
    """)
    assert [(name, call) for name, call, _ in checked.of("f")] == [("crash", "f(4)")]


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
