"""The limit of recursion is one for all threads."""

from __future__ import annotations

import sys
from threading import Event, Thread

from hologram.support.recursion import RECURSION_LIMIT, deep_recursion


def test_a_thread_that_ends_first_takes_no_room_from_another():
    before, opened, entered = sys.getrecursionlimit(), Event(), Event()

    def other() -> None:
        with deep_recursion():
            opened.set()
            entered.wait(10)

    thread = Thread(target=other)
    thread.start()
    opened.wait(10)
    with deep_recursion(RECURSION_LIMIT + 1):
        entered.set()
        thread.join()
        assert sys.getrecursionlimit() == RECURSION_LIMIT + 1
    assert sys.getrecursionlimit() == before
