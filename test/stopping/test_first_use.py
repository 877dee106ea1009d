"""What there is one of in a process is one, though several threads use it for the first time at once."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from hologram.support import forks
from stopping_programs import WHILE

PROGRAM = """
import sys
import threading
import time

import numpy as np

import hologram
from hologram.errors import LaunchError
from hologram.runtime.launch import launcher, watch

sys.setswitchinterval(1e-6)
real = launcher.load


def slow():
    time.sleep(0.2)
    return real()


launcher.load = slow
start, ended, codes = threading.Barrier(4), [], []


def first(number):
    start.wait()
    if number % 2:
        codes.append(watch.watch())
    kernel = hologram.compile(sys.argv[1])
    try:
        kernel(np.zeros(2), timeout=0.05)
    except LaunchError as error:
        ended.append(error.code)


threads = [threading.Thread(target=first, args=(n,)) for n in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert ended == ["launch-timeout"] * 4, ended
assert len({id(code) for code in codes}) == 1
print("ended")
"""


def test_launches_are_watched_by_one():
    done = subprocess.run([sys.executable, "-P", "-c", PROGRAM, WHILE], capture_output=True, text=True)
    assert done.stdout == "ended\n", f"{done.returncode}\n{done.stderr}"


def test_once():
    made: list[int] = []
    inside = threading.Event()

    @forks.once
    def make(number: int = 0) -> object:
        made.append(number)
        inside.wait(0.1)
        return object()

    found: list[object] = []
    take: Callable[[], None] = lambda: found.append(make())  # noqa: E731
    threads = [threading.Thread(target=take) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [0]
    assert len(set(map(id, found))) == 1
    assert make(1) is not make(2)


def test_what_fails_is_tried_again():
    failing = [ValueError("first"), None]

    @forks.once
    def make() -> int:
        error = failing.pop(0)
        if error is not None:
            raise error
        return 3

    with pytest.raises(ValueError, match="first"):
        make()
    assert make() == make() == 3
    assert not failing
