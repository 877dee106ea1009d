"""The structs that the functions of `native/c/cuda_launch.c` work on.

By these a launch goes from host code to CUDA's driver without Python.

They work on a `Context`, whose address is the number that host code passes. What fails is kept in it, and what follows
does nothing until `take_error` cleared it.
"""

from __future__ import annotations

import ctypes

from hologram.runtime.devices.protocol import COPY, LAUNCH

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
