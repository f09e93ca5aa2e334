"""The parts of the isolation, one by one."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from pef.isolation.limits import scrubbed
from pef.isolation.policy import Policy
from pef.isolation.stint import Stint

PACKAGES = str(Path(__import__("pef").__file__).parents[1])
linux = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's layer is for Linux")


def in_process(source):
    """What a program prints that begins confined."""
    program = textwrap.dedent(source)
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": PACKAGES},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_folder_allows_what_is_in_it_and_nothing_beside(tmp_path):
    policy = Policy.of([f"write:{tmp_path}/a"])
    assert policy.may_write(f"{tmp_path}/a/b/c")
    assert policy.may_write(f"{tmp_path}/a")
    assert not policy.may_write(f"{tmp_path}/ab")
    assert not policy.may_write(f"{tmp_path}/a/../b")


def test_a_link_out_of_an_allowed_folder_leads_nowhere(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "link").symlink_to(tmp_path)
    assert not Policy.of([f"write:{tmp_path}/a"]).may_write(f"{tmp_path}/a/link/x")


def test_hosts_are_allowed_by_name():
    policy = Policy.of(["net:localhost"])
    assert policy.may_reach("localhost")
    assert not policy.may_reach("example.org")
    assert Policy.of(["net"]).may_reach("example.org")


@pytest.mark.parametrize("word", ["", "write", "write:", "net:", "sub", "ALL"])
def test_words_that_mean_nothing_are_no_policy(word):
    with pytest.raises(ValueError, match=f"^{word}$"):
        Policy.of([word])


def test_secrets_leave_the_environment_and_the_rest_stays():
    secrets = [
        "GH_TOKEN",
        "my_secret",
        "DB_PASSWORD",
        "AWS_REGION",
        "STRIPE_API_KEY",
        "SSH_AUTH_SOCK",
    ]
    seen = scrubbed({**dict.fromkeys(secrets, "x"), "HOME": "h", "PATH": "p", "KEYBOARD": "k"})
    assert {"HOME", "PATH", "KEYBOARD"} <= set(seen)
    assert not set(secrets) & set(seen)
    assert seen["TZ"] == "UTC"


@linux
def test_the_kernel_denies_what_the_policy_does_not_allow(tmp_path):
    (tmp_path / "mine").mkdir()
    said = in_process(f"""
        import os, socket
        from pef.isolation.kernel import confine, seal
        from pef.isolation.policy import Policy

        layers = confine(Policy(), [{str(tmp_path / "mine")!r}])
        print(len(layers.missing))
        seal(Policy())
        attempts = [
            lambda: open({str(tmp_path / "out")!r}, "w"),
            lambda: os.unlink({str(tmp_path / "mine")!r}),
            lambda: os.mkfifo({str(tmp_path / "mine" / "fifo")!r}),
            lambda: socket.socket(),
            lambda: os.execv("/bin/true", ["true"]),
            os.fork,
            lambda: os.memfd_create("x"),
        ]
        for attempt in attempts:
            try:
                attempt()
                print("done")
            except OSError as problem:
                print(type(problem).__name__)
        open({str(tmp_path / "mine" / "x")!r}, "w").close()
        open("/dev/null", "w").close()
        socket.socketpair()
        import threading
        thread = threading.Thread(target=print, args=("thread",))
        thread.start()
        thread.join()
    """)
    assert said == ["0", *["PermissionError"] * 7, "thread"]


@linux
def test_memory_ends_at_the_limit_and_no_core_is_written():
    said = in_process("""
        import resource
        from pef.isolation.limits import limit_resources

        limit_resources(seconds=60, memory=64 << 20)
        print(resource.getrlimit(resource.RLIMIT_CORE)[0])
        limit_resources(seconds=1000, memory=1 << 40)  # that cannot be undone
        try:
            bytearray(128 << 20)
        except MemoryError:
            print("MemoryError")
        bytearray(8 << 20)
    """)
    assert said == ["0", "MemoryError"]


def test_chance_and_clock_begin_anew():
    said = in_process("""
        import os, random, time, uuid
        from pef.isolation import ambient

        ambient.fix()
        def look():
            return random.random(), os.urandom(4), time.time(), uuid.uuid4()
        first = look()
        second = look()
        ambient.begin_anew()
        print(first == look(), first == second, ambient.relied_on() != [])
    """)
    assert said == ["True", "False", "True"]


def test_a_sleeping_process_is_late_and_one_that_has_time_is_not():
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        stint = Stint(child.pid, 0.2)
        assert not stint.is_over()
        deadline = time.monotonic() + 30
        while not stint.is_over():
            assert time.monotonic() < deadline
            time.sleep(0.02)
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
