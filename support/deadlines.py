"""The times by which what a thread does shall be done, as `hologram.timeout` sets them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from hologram.support import forks


class _Local(threading.local):
    def __init__(self) -> None:
        self.ends: list[int] = []


_local = _Local()
_count = 0
_lock = forks.lock()
_listeners: list[Callable[[int], None]] = []


def tell(listener: Callable[[int], None]) -> None:
    """Have a function called with the number of deadlines that are set in all threads: now, and after each change."""
    with _lock:
        _listeners.append(listener)
        listener(_count)


def now() -> int:
    """Return the time of the clock that deadlines are of, in nanoseconds."""
    return time.monotonic_ns()


def deadline() -> int:
    """Return the first deadline of this thread; 0 if it has none."""
    return min(_local.ends, default=0)


def is_over() -> bool:
    """Return whether the time of this thread is over."""
    return bool(_count) and (end := deadline()) != 0 and now() >= end


def push(end: int) -> None:
    """Set a deadline of this thread, beside those that it has."""
    _local.ends.append(end)
    _change(1)


def pop() -> None:
    """Take back the deadline that this thread set last."""
    _local.ends.pop()
    _change(-1)


def _change(by: int) -> None:
    global _count
    with _lock:
        _count += by
        for listener in _listeners:
            listener(_count)


def forget_others() -> None:
    """Forget the deadlines of other threads: a forked child has none."""
    global _count
    _count = len(_local.ends)
    for listener in _listeners:
        listener(_count)
