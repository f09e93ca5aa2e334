"""Small programs to replay, each as a module of its own."""

ORDINARY = """\
import sys
counter = 0

class Pair:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def total(self):
        return self.left + self.right

class Loud:
    def __repr__(self):
        print("repr was here")
        return "Loud()"

class Silent:
    def __repr__(self):
        raise RuntimeError("no repr")

def add(a, b=0):
    return a + b

def count():
    global counter
    counter += 1
    return counter

def say(word):
    print("out", word)
    print("err", word, file=sys.stderr)

def loud():
    return Loud()

def silent():
    return Silent()

def divide(a, b):
    return inner(a, b)

def inner(a, b):
    return a // b

def parse(text):
    import json
    return json.loads(text)

def leave(status):
    sys.exit(status)

def digits(n):
    return 10 ** n

def write_digits(n):
    return str(10 ** n)

def read_input():
    return sys.stdin.read()

class Odd(Exception):
    def __str__(self):
        raise ValueError

def odd():
    raise Odd
"""

FAULTS = """\
import ctypes, os, signal, subprocess, sys, time

def segfault():
    print("last words", flush=True)
    ctypes.string_at(0)

def abort():
    os.abort()

def exits(status):
    os._exit(status)

def spins():
    print("spinning")
    while True:
        pass

def stubborn():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(1)

def prints_forever():
    while True:
        print("x" * 1000)

def leaves_process(marker, session):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", marker],
                     start_new_session=session, stdout=subprocess.DEVNULL)

def closes_everything():
    os.closerange(0, 256)

def forges():
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"\\0\\0\\0\\5hello")
        except OSError:
            pass
    return 1

def kills_worker():
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)

def quiet():
    return 7
"""
