"""Code of the runtime's own, as LLVM IR text: the launcher of kernels and the pool of threads.

`hologram.runtime.resources` keeps what is made of a text under the sizes and times of these files: where it was made
before, no text is looked at. Their users need this module alone, which has what both sides agree on.
"""

from __future__ import annotations

# The launcher of kernels

ENTRY = "hologram_launch"
"""The vectorcall function of kernels."""
CONFIG = "hologram_launch_config"
"""The struct `Config` that it reads."""
LAUNCHER_FUNCTIONS = (
    "PyBytes_FromStringAndSize PyErr_Clear PyErr_SetInterrupt PyEval_RestoreThread PyEval_SaveThread PyFloat_AsDouble "
    "PyLong_AsLongLongAndOverflow PyObject_Vectorcall PyTuple_GetItem PyTuple_New PyTuple_SetItem PyTuple_Size "
    "Py_DecRef Py_IncRef"
).split()
"""What it needs of Python."""

MAX_WORDS = 128
MAX_BUFFERS = 32
MAX_ARGUMENTS = 64
MAX_RANK = 16
"""Bounds of the entries that it takes."""

STEPS: tuple[str, ...] = tuple("constant word require keep negate + - * // % min max == != < <= > >=".split())
"""The operations of its stack machine, by their numbers. `word` pushes a word of the launch, `keep` pops into one,
`require` pops and refuses 0."""
MAX_STACK = 32

# The pool of threads

DOOR = "hologram_pool_door"
"""What modules call, as they would the pool itself; it is part of the launcher's code."""
DOOR_CONFIG = "hologram_pool_door_config"
"""The struct `Door` that it reads."""
ALONE = "hologram_pool_alone"
"""What runs a loop on the caller's thread alone."""

RUN = "hologram_pool_run"
"""`void(ptr body, ptr context, i64 begin, i64 end, i64 cost)`: calls `body(context, from, to)` for parts of a range."""
CONFIGURE = "hologram_pool_configure"
"""`void(i32 threads, i64 least, i64 share, i64 alarm, i64 patience)`: threads with the caller's, the least work worth
sharing, the least work of a part, the least worth waking threads for, and the nanoseconds that idle ones stay awake."""
RESET = "hologram_pool_reset"
"""`void()`: without workers, as in a process that is new or has been forked off."""
WORKERS = "hologram_pool_workers"
"""`i32()`: how many workers have been started."""
SYMBOLS = (RUN, CONFIGURE, RESET, WORKERS)

POOL_FUNCTIONS = tuple(
    "clock_gettime sigfillset pthread_sigmask pthread_attr_init pthread_attr_setstacksize pthread_attr_setdetachstate"
    " pthread_attr_destroy pthread_create".split()
)
"""What every form calls of the C library."""
FUTEX_FUNCTIONS = ("syscall",)
MUTEX_FUNCTIONS = tuple(
    "pthread_mutex_init pthread_mutex_lock pthread_mutex_unlock pthread_cond_init pthread_cond_wait"
    " pthread_cond_broadcast".split()
)
PLACE_FUNCTIONS = ("sched_getcpu", "pthread_getaffinity_np", "pthread_setaffinity_np", "memcmp", "memcpy")
"""What the placing form calls of the C library."""

FUTEX = {"x86_64": 202, "aarch64": 98}
"""The number of Linux's system call by architecture."""


def launcher_ir() -> str:
    """The text of the launcher."""
    from hologram.runtime.own_code.launcher_calls import IR

    return IR
