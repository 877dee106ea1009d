"""Code of the runtime that is written in C: the launcher of kernels, the pool of threads, launches on CUDA, conversions
of half floats, and the C library.

The sources stand in `c/`. `make native` compiles them into the LLVM IR of `ir/`, a file for each platform, which is all
that is used of them: `hologram.runtime.native.resources` makes machine code of it where it runs, and keeps that in the
disk cache. This module has what Python and the sources agree on, and imports little: most programs need no more.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable
from typing import Any

from hologram.support.host_target import host_target

# The modules

LAUNCH, PREPARED_LAUNCH, THREAD_POOL, CUDA_LAUNCH, HALF_FLOATS, C_LIBRARY = (
    "launch", "prepared_launch", "thread_pool", "cuda_launch", "half_floats", "c_library"
)  # fmt: skip
"""The sources in `c/` that are compiled, by their names. The headers there are parts of them."""

_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
_SYSTEMS = {"darwin": "macos", "win32": "windows"}


def platform() -> str:
    """The platform of this process, as the names of files in `ir/` have it."""
    machine = host_target().triple.partition("-")[0]
    return f"{_MACHINES.get(machine, machine)}-{_SYSTEMS.get(sys.platform, sys.platform)}"


def ir_path(name: str) -> str:
    """The file with the LLVM IR of a module for this platform."""
    return os.path.join(os.path.dirname(__file__), "ir", f"{name}.{platform()}.ll")


def is_available(name: str) -> bool:
    """Return whether a module is compiled for this platform."""
    return os.path.exists(ir_path(name))


def address_of(function: Any) -> int:
    """Return where a function of ctypes lies; 0 for a null pointer."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def addresses(library: Any, names: Iterable[str]) -> dict[str, int]:
    """Return where functions of a library lie, by name."""
    return {name: address_of(library[name]) for name in names}


# The launcher of kernels: `launch.c`

ENTRY = "hologram_launch"
"""The vectorcall function of kernels."""
CONFIG = "hologram_launch_config"
"""The struct `launch_config` that it reads."""
LAUNCHER_FUNCTIONS = (
    "PyBytes_FromStringAndSize PyErr_CheckSignals PyErr_Clear PyErr_Fetch PyErr_Restore PyErr_SetInterrupt "
    "PyEval_RestoreThread PyEval_SaveThread PyFloat_AsDouble PyGILState_Ensure PyGILState_Release "
    "PyLong_AsLongLongAndOverflow PyObject_Vectorcall PyThread_get_thread_ident PyTuple_GetItem PyTuple_New "
    "PyTuple_SetItem PyTuple_Size Py_DecRef Py_IncRef"
).split()
"""What it calls of Python."""

MAX_WORDS = 128
MAX_BUFFERS = 32
MAX_ARGUMENTS = 64
MAX_RANK = 16
"""Bounds of the entries that it takes."""

STEPS: tuple[str, ...] = tuple("constant word require keep negate + - * // % min max == != < <= > >=".split())
"""The operations of its stack machine, by their numbers: `shape_operation` in `shape_expression.h`."""
MAX_STACK = 32

RUN_PARALLEL = "hologram_run_parallel"
"""What parallel loops of modules call, as they would the pool itself."""
PARALLEL_CONFIG = "hologram_parallel_config"
"""The struct that it reads."""
RUN_SERIALLY = "hologram_run_serially"
"""What runs a loop on the caller's thread alone."""

RUN_WATCHED = "hologram_run_watched"
"""`i64(ptr call, ptr words, ptr record)`: what launches of programs that can be stopped go through."""
WATCH_CONFIG = "hologram_watch_config"
"""The struct that it reads."""
WATCH_TICK, WATCH_WAIT, WATCH_FORKED = "hologram_watch_tick", "hologram_watch_wait", "hologram_watch_forked"
LAUNCHER_SYMBOLS = (
    ENTRY, CONFIG, RUN_PARALLEL, PARALLEL_CONFIG, RUN_SERIALLY, RUN_WATCHED, WATCH_CONFIG, WATCH_TICK, WATCH_WAIT,
    WATCH_FORKED,
)  # fmt: skip
"""All that it defines."""
RECORD_WORDS = 9
"""Of the trap records that it is given: those of the launch ABI, and one behind them for itself."""
TIMED_OUT = (1 << 63) - 2
"""What it writes in the first one where the time of a launch is over."""

# Conversions of half floats: `half_floats.c`

HALF_SYMBOLS = ("__extendhfsf2", "__truncsfhf2", "__truncsfbf2", "__truncdfhf2", "__truncdfbf2")
"""The functions that LLVM calls where the processor has no instructions for them."""

# The pool of threads: `thread_pool.c`

RUN = "hologram_pool_run"
"""`void(ptr body, ptr context, i64 begin, i64 end, i64 cost)`: calls `body(context, from, to)` for parts of a range."""
CONFIGURE = "hologram_pool_configure"
"""`void(i32 threads, i64 least, i64 share, i64 alarm, i64 patience)`: threads with the caller's, the least work worth
sharing, the least work of a part, the least worth waking threads for, and the nanoseconds that idle ones stay awake."""
RESET = "hologram_pool_reset"
"""`void(i32 futex)`: without workers, as in a process that is new or has been forked off; whether threads sleep by
Linux's futex, and not by a mutex and a condition."""
WORKERS = "hologram_pool_workers"
"""`i32()`: how many workers have been started."""
TELL = "hologram_pool_tell"
"""`void(ptr wait)`: what is told of callers that wait for their workers, as `hologram_watch_wait` is."""
POOL_SYMBOLS = (RUN, CONFIGURE, RESET, WORKERS, TELL)

POOL_FUNCTIONS = tuple(
    "clock_gettime pthread_sigmask pthread_attr_init pthread_attr_setstacksize pthread_attr_setdetachstate"
    " pthread_attr_destroy pthread_create pthread_mutex_init pthread_mutex_lock pthread_mutex_unlock pthread_cond_init"
    " pthread_cond_wait pthread_cond_timedwait pthread_cond_broadcast".split()
)
"""What it calls of the C library."""
LINUX_FUNCTIONS = ("sigfillset", "syscall", "memcpy", "memcmp")
"""On Linux also."""
PLACEMENT_FUNCTIONS = ("sched_getcpu", "pthread_getaffinity_np", "pthread_setaffinity_np", "__sched_cpucount")
"""And these, where the C library has them."""
