"""The structs that the functions of `native/c/cuda_launch.c` work on, and launches that are recorded.

By these a launch goes from host code to CUDA's driver without Python.

They work on a `Context`, whose address is the number that host code passes. What fails is kept in it, and what follows
does nothing until `take_error` cleared it.

What host code asks for can be recorded once, as a graph of the driver's, which starts it again at less than half of
what a launch costs. Host code runs while a stream of its own records, and nothing is done. Programs that allocate
memory as they run are not recorded: what they were given would be another's by the time the graph runs.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from hologram.runtime.devices.cuda.driver import SUCCESS
from hologram.runtime.devices.protocol import COPY, LAUNCH, Recording

CALLED = ("cuCtxSetCurrent", "cuGraphLaunch", "cuLaunchKernel", "cuMemcpyDtoDAsync_v2")


class DriverFunctions(ctypes.Structure):
    """The addresses of the driver's functions that the compiled ones call: `struct driver`."""

    _fields_ = tuple((name, ctypes.c_void_p) for name in CALLED)


class KernelSlot(ctypes.Structure):
    """The part of a kernel that a launch needs: `struct kernel`."""

    _fields_ = (
        ("function", ctypes.c_void_p),
        ("shared", ctypes.c_int64),
        ("trap", ctypes.c_int64),
    )
    function: int
    shared: int
    """Bytes of shared memory to ask for beside what the launch asks for."""
    trap: int
    """Which argument is the trap record; -1 if none is."""


class Context(ctypes.Structure):
    """The state of a program for the compiled functions: `struct context`."""

    _fields_ = (
        ("status", ctypes.c_int64),
        ("kernel", ctypes.c_int64),
        ("sizes", ctypes.c_int64 * 7),
        ("cuda", ctypes.c_void_p),
        ("stream", ctypes.c_void_p),
        ("record", ctypes.c_uint64),
        ("kernels", ctypes.c_void_p),
        ("launches", ctypes.c_int64),
        ("driver", ctypes.c_void_p),
    )
    status: int
    """The driver's, of what failed first; `KEPT` where Python keeps the error."""
    kernel: int
    """Which kernel failed, `COPIED` for a copy, `REPLAYED` for a recording."""
    sizes: ctypes.Array[ctypes.c_int64]
    """The grid, the block and the shared bytes of the launch that failed."""
    cuda: int
    stream: int
    record: int
    """The trap record's address."""
    kernels: int
    launches: int
    """How many were started."""
    driver: int


KEPT = -1
"""A status: Python knows what failed."""
TOO_LARGE = -2
"""A status: a size does not fit 32 bits."""
COPIED, REPLAYED = -1, -2
RECORD, REPLAY = "hologram_cuda_record", "hologram_cuda_replay"
"""Beside what host code calls: to run host code with another stream, and to do again what was recorded."""

COMPILED = (LAUNCH, COPY, RECORD, REPLAY)
"""The compiled functions; to allocate and free leads into Python, where memory that is kept is found."""

Ask = Callable[..., int]
"""Calls the driver by a function's name, and gives its status."""
NON_BLOCKING, RELAXED = 1, 2
"""Of streams: it does not wait for the one that all threads share. Of recording: other streams may do anything."""
Words = ctypes.c_void_p * 4


def record(
    ask: Ask, drop: Callable[[int], None], functions: Mapping[str, int], host: Context, function: int, words: Any
) -> Recording | None:
    """Record what `function` asks for, given `words`; None if that can't be done. `drop` takes the graph in the end."""
    stream = ctypes.c_void_p()
    if ask("cuStreamCreate", ctypes.byref(stream), NON_BLOCKING) != SUCCESS:
        return None
    try:
        graph = _graph(ask, functions, host, stream, function, words)
    finally:
        ask("cuStreamDestroy_v2", stream)
    if graph is None:
        return None
    executable, count = graph
    recording = Recording(functions[REPLAY], Words(ctypes.addressof(host), executable, count))
    weakref.finalize(recording, drop, executable).atexit = False
    return recording


def _graph(
    ask: Ask, functions: Mapping[str, int], host: Context, stream: ctypes.c_void_p, function: int, words: Any
) -> tuple[int, int] | None:
    """A graph that can be launched, and how many launches it has."""
    if ask("cuStreamBeginCapture_v2", stream, RELAXED) != SUCCESS:
        return None
    before, graph, executable = host.launches, ctypes.c_void_p(), ctypes.c_void_p()
    given = Words(ctypes.addressof(host), stream.value, function, ctypes.addressof(words))
    # It holds the interpreter's lock, so no other thread launches while the program has the other stream.
    ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(functions[RECORD])(ctypes.addressof(given))
    count, host.launches = host.launches - before, before
    if ask("cuStreamEndCapture", stream, ctypes.byref(graph)) != SUCCESS or not graph:
        return None
    if host.status == SUCCESS and count:
        ask("cuGraphInstantiateWithFlags", ctypes.byref(executable), graph, 0)
    ask("cuGraphDestroy", graph)
    return (executable.value, count) if executable.value else None
