"""The thread pool of this process: native threads that take parts of the parallel loops of large calls.

Modules call it by way of `hologram.runtime.launch.parallel_loops`, for which the first large loop makes the pool. One
call at a time has it. A second Python thread that calls meanwhile, and a parallel loop inside a part of another, run on
their own thread alone, so there are never more threads at work than were set, for each call that would use them.

Idle workers stay awake for `PATIENCE` and then sleep until there is work again; they hold no lock of Python's and block
all signals, so Ctrl-C reaches the main thread. A forked child begins without workers and makes its own. On Linux they
are kept off the processor of the thread whose job they share. The code is `native/c/thread_pool.c`.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from typing import Any

from hologram.runtime import native, threads
from hologram.runtime.devices.cpu import resources
from hologram.runtime.native import (
    CONFIGURE,
    LINUX_FUNCTIONS,
    PLACEMENT_FUNCTIONS,
    POOL_FUNCTIONS,
    POOL_SYMBOLS,
    RESET,
    RUN,
    TELL,
    THREAD_POOL,
    WORKERS,
)
from hologram.support import forks
from hologram.support.pool_call import SERIAL_WORK

PATIENCE = 300_000
"""Nanoseconds that an idle worker, or a caller whose workers are not done, stays awake. A thread that sleeps takes 50
us to wake up (350 on some virtual machines), so breaks between calls that are no longer are worth waiting through
(`make bench`: additions of 262K and products of 128 on two threads); longer ones would take time from numpy's or
torch's threads."""

SHARE = 100_000
"""The least work of a part (about 1 us): taking one is an atomic addition on a word that all threads write."""


ALARM = 2_000_000
"""The least work (about 20 us) that sleeping workers are woken for: the system call takes the caller 4 us."""


class Pool:
    """The loaded code of a pool. `futex` chooses how threads sleep: Linux's call, or a mutex and a condition."""

    def __init__(self, *, futex: bool = sys.platform == "linux"):
        names = (*_functions(), *(PLACEMENT_FUNCTIONS if can_place() else ()))
        self._module = resources.load(THREAD_POOL, native.addresses(_process(), names), POOL_SYMBOLS)
        self.run = self._module.address(RUN)
        """The address of the function that modules call."""
        words = [ctypes.c_int32, *[ctypes.c_int64] * 4]
        self._configure: Any = ctypes.CFUNCTYPE(None, *words)(self._module.address(CONFIGURE))
        self._workers: Any = ctypes.CFUNCTYPE(ctypes.c_int32)(self._module.address(WORKERS))
        self.tell: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._module.address(TELL))
        """Sets the address of what is told that a caller waits for workers."""
        self._reset: Any = ctypes.CFUNCTYPE(None, ctypes.c_int32)(self._module.address(RESET))
        self._futex = futex
        self.least, self.share, self.alarm, self.patience = SERIAL_WORK, SHARE, ALARM, PATIENCE
        self.reset()
        self.configure()
        # Workers may run this code until the process ends.
        _kept.append(self)
        forks.after_in_child(self.reset)

    def reset(self) -> None:
        """Forgets all workers: for a process that has none."""
        self._reset(self._futex)

    def configure(self) -> None:
        """Takes over the number of threads that is set, and the fields below."""
        self._configure(threads.get_num_threads(), self.least, self.share, self.alarm, self.patience)

    @property
    def workers(self) -> int:
        """The number of threads that have been started beside the callers'."""
        return self._workers()


def _functions() -> tuple[str, ...]:
    """Return the names of what the code calls of the C library."""
    return (*POOL_FUNCTIONS, *(LINUX_FUNCTIONS if sys.platform == "linux" else ()))


def can_place() -> bool:
    """Return whether workers can be told where to run."""
    return sys.platform == "linux" and all(hasattr(_process(), name) for name in PLACEMENT_FUNCTIONS)


def prepare() -> None:
    """Has the object code made in the background, for a program that is being compiled."""
    if not _kept and not why_not() and threads.get_num_threads() > 1:
        resources.prepare(THREAD_POOL)


_kept: list[Pool] = []


@functools.cache
def why_not() -> str:
    """Return why calls run on one thread here; empty where there is a pool."""
    if os.name != "posix":
        return "the pool needs POSIX threads, which this system has not"
    if not native.is_available(THREAD_POOL):
        return f"the pool is not compiled for {native.platform()}"
    missing = [name for name in _functions() if not hasattr(_process(), name)]
    return f"the C library lacks {', '.join(missing)}" if missing else ""


@forks.once
def pool() -> Pool | None:
    """The pool of this process, or None where there can be none."""
    return None if why_not() else Pool()


def _configure() -> None:
    for workers in _kept:
        workers.configure()


threads.on_change(_configure)


@functools.cache
def _process() -> Any:
    return ctypes.CDLL(None)
