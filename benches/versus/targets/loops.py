"""Two plain loops, one after the other or side by side: what a second core of this machine gives."""

import os
import sys


def loop() -> None:
    total = 0
    for number in range(50_000_000):
        total += number & 7


if sys.argv[1] == "2" and os.fork() == 0:
    loop()
    os._exit(0)
loop()
if sys.argv[1] == "2":
    os.wait()
else:
    loop()
print("ran")
