"""Launches that can be stopped: by Ctrl-C and what else signals raise, and when their time is over.

Programs with loops whose count does not follow from the sizes of arrays are launched without the interpreter's lock,
and through `native/c/launch_watch.h`. As long as such launches run, a thread of Python looks after them some times a
second.
"""

from __future__ import annotations

import ctypes
import functools
import threading
import time
from types import TracebackType
from typing import Any, NoReturn

from hologram.errors import LaunchError, UsageError
from hologram.runtime import native
from hologram.runtime.launch import launcher
from hologram.support import deadlines, forks
from hologram.support.promotion import shown

INTERVAL = 0.05
"""Seconds between two looks at the launches."""
IDLE_LOOKS = 40
"""Looks without a launch after which the thread ends; the next launch starts another."""
LONGEST = 1e9
"""Seconds that a deadline may be away."""


class timeout:  # noqa: N801
    """Bounds the time of the calls of kernels in a `with` block, or in a function that it decorates.

    A call that takes longer ends in a LaunchError with the code `launch-timeout`. What it had written by then stays. On
    the CPU and in the interpreter loops stop whose count does not follow from the sizes of arrays; all else runs to its
    end first, and the error comes at the end of the block. `seconds` is a number above 0, or None for no bound.
    """

    def __init__(self, seconds: float | None):
        self.seconds = seconds
        self._span = None if seconds is None else nanoseconds(seconds)

    def __enter__(self) -> timeout:
        if self._span is not None:
            deadlines.push(deadlines.now() + self._span)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._span is None:
            return
        is_over = deadlines.is_over()
        deadlines.pop()
        if is_over and kind is None:
            message = f"what was called took longer than {self.seconds:g} seconds; it ended, as it could not be stopped"
            raise LaunchError("launch-timeout-late", message, hint="what it has written is complete")

    def __call__(self, function: Any) -> Any:
        @functools.wraps(function)
        def bounded(*args: Any, **named: Any) -> Any:
            with timeout(self.seconds):
                return function(*args, **named)

        return bounded


def nanoseconds(seconds: Any) -> int:
    """The time that `timeout=` says, or a UsageError."""
    fits = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if not fits or not 0 < seconds <= LONGEST:
        given = shown(seconds) if isinstance(seconds, int) else repr(seconds)
        message = f"the timeout is {given}, expected a number of seconds above 0, at most {LONGEST:g}"
        raise UsageError("timeout-number", message, hint="leave it out for no bound")
    return int(seconds * 1e9)


def timed_out(name: str) -> NoReturn:
    """Raises the error of a launch whose time is over."""
    message = f"program '{name}' was stopped: its time was over"
    hint = "the arrays that it writes may be written in part; give it more time, or look for a loop without an end"
    raise LaunchError("launch-timeout", message, hint=hint)


class _Watch:
    """The struct that launches read, and the thread that looks after them."""

    def __init__(self) -> None:
        code = launcher.code()
        self.run = ctypes.PYFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 3)(code.address(native.RUN_WATCHED))
        """Launches through Python: the code, the words of its packed form, and the trap record."""
        self.wait = code.address(native.WATCH_WAIT)
        """What the pool tells that a caller waits."""
        self._tick = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(code.address(native.WATCH_TICK))
        self._forked = ctypes.PYFUNCTYPE(None)(code.address(native.WATCH_FORKED))
        self._kept = (self.begin, deadlines.deadline)
        self._words: Any = (ctypes.c_size_t * 5).from_address(code.address(native.WATCH_CONFIG))
        begin, find = map(id, self._kept)
        self._words[:] = begin, find, 0, 0, threading.main_thread().ident or 0
        deadlines.tell(self._count)
        forks.after_in_child(self._after_fork)

    def _count(self, deadlines: int) -> None:
        self._words[2] = deadlines

    def _after_fork(self) -> None:
        self._forked()
        deadlines.forget_others()

    def begin(self) -> None:
        """Start the thread, for a launch that finds none at work."""
        self._words[3] = 1
        try:
            threading.Thread(target=self._look, name="hologram-watch", daemon=True).start()
        except RuntimeError:
            # There are no more threads to be had: the launch runs to its end.
            self._words[3] = 0

    def _look(self) -> None:
        idle = 0
        while going := self._tick(deadlines.now(), idle > IDLE_LOOKS):
            idle = 0 if going > 1 else idle + 1
            time.sleep(INTERVAL)


@forks.once
def watch() -> _Watch:
    """The one of this process."""
    return _Watch()
