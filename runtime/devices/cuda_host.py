"""The functions that host code calls, compiled: a launch goes from it to CUDA's driver without Python.

They work on a `Context`, whose address is the number that host code passes. What fails is kept in it, and what follows
does nothing until `take_error` cleared it.
"""

from __future__ import annotations

import ctypes
import functools

from hologram.runtime.devices.protocol import ALLOC, COPY, FREE, LAUNCH


class KernelSlot(ctypes.Structure):
    """What a launch needs of a kernel."""

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
    """What the compiled functions know of a program. The order is theirs too."""

    _fields_ = (
        ("status", ctypes.c_int64),
        ("kernel", ctypes.c_int64),
        ("sizes", ctypes.c_int64 * 7),
        ("cuda", ctypes.c_void_p),
        ("stream", ctypes.c_void_p),
        ("record", ctypes.c_uint64),
        ("kernels", ctypes.c_void_p),
        ("launches", ctypes.c_int64),
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


KEPT = -1
"""A status: Python knows what failed."""
TOO_LARGE = -2
"""A status: a size does not fit 32 bits."""
COPIED, REPLAYED = -1, -2
RECORD, REPLAY = "hologram_cuda_record", "hologram_cuda_replay"
"""Beside what host code calls: to run host code with another stream, and to do again what was recorded."""

_IR = f"""
%Slot = type {{ ptr, i64, i64 }}
%Context = type {{ i64, i64, [7 x i64], ptr, ptr, i64, ptr, i64 }}

declare i32 @cuLaunchKernel(ptr, i32, i32, i32, i32, i32, i32, i32, ptr, ptr, ptr)
declare i32 @cuCtxSetCurrent(ptr)
declare i32 @cuMemcpyDtoDAsync_v2(i64, i64, i64, ptr)
declare i32 @cuGraphLaunch(ptr, ptr)

define internal void @failed(ptr %c, i32 %status, i64 %kernel) noinline cold {{
  %wide = sext i32 %status to i64
  store i64 %wide, ptr %c
  %place = getelementptr %Context, ptr %c, i64 0, i32 1
  store i64 %kernel, ptr %place
  ret void
}}

define void @{LAUNCH}(i64 %context, i32 %kernel, i64 %gx, i64 %gy, i64 %gz, i64 %bx, i64 %by, i64 %bz, i64 %shared,
                      ptr %arguments) {{
entry:
  %c = inttoptr i64 %context to ptr
  %number = sext i32 %kernel to i64
  %status = load i64, ptr %c
  %fine = icmp eq i64 %status, 0
  br i1 %fine, label %sizes, label %end

sizes:
  %g1 = mul i64 %gx, %gy
  %g2 = mul i64 %g1, %gz
  %none = icmp eq i64 %g2, 0
  br i1 %none, label %empty, label %look

empty:
  ; Nothing is to be done only if one of them is zero; their product may wrap.
  %x0 = icmp eq i64 %gx, 0
  %y0 = icmp eq i64 %gy, 0
  %z0 = icmp eq i64 %gz, 0
  %xy0 = or i1 %x0, %y0
  %any0 = or i1 %xy0, %z0
  br i1 %any0, label %end, label %look

look:
  %kernels.at = getelementptr %Context, ptr %c, i64 0, i32 6
  %kernels = load ptr, ptr %kernels.at
  %slot = getelementptr %Slot, ptr %kernels, i64 %number
  %function = load ptr, ptr %slot
  %more.at = getelementptr %Slot, ptr %slot, i64 0, i32 1
  %more = load i64, ptr %more.at
  %bytes = add i64 %shared, %more
  %o1 = or i64 %gx, %gy
  %o2 = or i64 %o1, %gz
  %o3 = or i64 %o2, %bx
  %o4 = or i64 %o3, %by
  %o5 = or i64 %o4, %bz
  %o6 = or i64 %o5, %bytes
  %high = lshr i64 %o6, 31
  %small = icmp eq i64 %high, 0
  br i1 %small, label %record, label %large

record:
  %trap.at = getelementptr %Slot, ptr %slot, i64 0, i32 2
  %trap = load i64, ptr %trap.at
  %traps = icmp sge i64 %trap, 0
  br i1 %traps, label %replace, label %start

replace:
  %place = getelementptr ptr, ptr %arguments, i64 %trap
  %record.at = getelementptr %Context, ptr %c, i64 0, i32 5
  store ptr %record.at, ptr %place
  br label %start

start:
  %cuda.at = getelementptr %Context, ptr %c, i64 0, i32 3
  %cuda = load ptr, ptr %cuda.at
  %set = call i32 @cuCtxSetCurrent(ptr %cuda)
  %is.set = icmp eq i32 %set, 0
  br i1 %is.set, label %launch, label %bad

launch:
  %stream.at = getelementptr %Context, ptr %c, i64 0, i32 4
  %stream = load ptr, ptr %stream.at
  %gx32 = trunc i64 %gx to i32
  %gy32 = trunc i64 %gy to i32
  %gz32 = trunc i64 %gz to i32
  %bx32 = trunc i64 %bx to i32
  %by32 = trunc i64 %by to i32
  %bz32 = trunc i64 %bz to i32
  %bytes32 = trunc i64 %bytes to i32
  %done = call i32 @cuLaunchKernel(ptr %function, i32 %gx32, i32 %gy32, i32 %gz32, i32 %bx32, i32 %by32, i32 %bz32,
                                   i32 %bytes32, ptr %stream, ptr %arguments, ptr null)
  %launches.at = getelementptr %Context, ptr %c, i64 0, i32 7
  %launches = load i64, ptr %launches.at
  %next = add i64 %launches, 1
  store i64 %next, ptr %launches.at
  %good = icmp eq i32 %done, 0
  br i1 %good, label %end, label %bad

large:
  br label %bad

bad:
  %why = phi i32 [ %set, %start ], [ %done, %launch ], [ {TOO_LARGE}, %large ]
  call void @failed(ptr %c, i32 %why, i64 %number)
  %s0 = getelementptr %Context, ptr %c, i64 0, i32 2, i64 0
  store i64 %gx, ptr %s0
  %s1 = getelementptr %Context, ptr %c, i64 0, i32 2, i64 1
  store i64 %gy, ptr %s1
  %s2 = getelementptr %Context, ptr %c, i64 0, i32 2, i64 2
  store i64 %gz, ptr %s2
  %s3 = getelementptr %Context, ptr %c, i64 0, i32 2, i64 3
  store i64 %bx, ptr %s3
  %s4 = getelementptr %Context, ptr %c, i64 0, i32 2, i64 4
  store i64 %by, ptr %s4
  %s5 = getelementptr %Context, ptr %c, i64 0, i32 2, i64 5
  store i64 %bz, ptr %s5
  %s6 = getelementptr %Context, ptr %c, i64 0, i32 2, i64 6
  store i64 %bytes, ptr %s6
  br label %end

end:
  ret void
}}

define void @{COPY}(i64 %context, i64 %target, i64 %source, i64 %bytes) {{
entry:
  %c = inttoptr i64 %context to ptr
  %status = load i64, ptr %c
  %fine = icmp eq i64 %status, 0
  %some = icmp ne i64 %bytes, 0
  %both = and i1 %fine, %some
  br i1 %both, label %start, label %end

start:
  %cuda.at = getelementptr %Context, ptr %c, i64 0, i32 3
  %cuda = load ptr, ptr %cuda.at
  %set = call i32 @cuCtxSetCurrent(ptr %cuda)
  %is.set = icmp eq i32 %set, 0
  br i1 %is.set, label %copy, label %bad

copy:
  %stream.at = getelementptr %Context, ptr %c, i64 0, i32 4
  %stream = load ptr, ptr %stream.at
  %done = call i32 @cuMemcpyDtoDAsync_v2(i64 %target, i64 %source, i64 %bytes, ptr %stream)
  %good = icmp eq i32 %done, 0
  br i1 %good, label %end, label %bad

bad:
  %why = phi i32 [ %set, %start ], [ %done, %copy ]
  call void @failed(ptr %c, i32 %why, i64 {COPIED})
  br label %end

end:
  ret void
}}

; The words are the context, the stream, the host code's function and its words.
define void @{RECORD}(ptr %words) {{
  %c = load ptr, ptr %words
  %stream.word = getelementptr ptr, ptr %words, i64 1
  %stream = load ptr, ptr %stream.word
  %function.word = getelementptr ptr, ptr %words, i64 2
  %function = load ptr, ptr %function.word
  %given.word = getelementptr ptr, ptr %words, i64 3
  %given = load ptr, ptr %given.word
  %stream.at = getelementptr %Context, ptr %c, i64 0, i32 4
  %own = load ptr, ptr %stream.at
  store ptr %stream, ptr %stream.at
  call void %function(ptr %given)
  store ptr %own, ptr %stream.at
  ret void
}}

; The words are the context, the graph, and the number of its launches.
define void @{REPLAY}(ptr %words) {{
entry:
  %c = load ptr, ptr %words
  %status = load i64, ptr %c
  %fine = icmp eq i64 %status, 0
  br i1 %fine, label %start, label %end

start:
  %cuda.at = getelementptr %Context, ptr %c, i64 0, i32 3
  %cuda = load ptr, ptr %cuda.at
  %set = call i32 @cuCtxSetCurrent(ptr %cuda)
  %is.set = icmp eq i32 %set, 0
  br i1 %is.set, label %launch, label %bad

launch:
  %graph.word = getelementptr ptr, ptr %words, i64 1
  %graph = load ptr, ptr %graph.word
  %stream.at = getelementptr %Context, ptr %c, i64 0, i32 4
  %stream = load ptr, ptr %stream.at
  %done = call i32 @cuGraphLaunch(ptr %graph, ptr %stream)
  %count.word = getelementptr ptr, ptr %words, i64 2
  %count = load i64, ptr %count.word
  %launches.at = getelementptr %Context, ptr %c, i64 0, i32 7
  %launches = load i64, ptr %launches.at
  %next = add i64 %launches, %count
  store i64 %next, ptr %launches.at
  %good = icmp eq i32 %done, 0
  br i1 %good, label %end, label %bad

bad:
  %why = phi i32 [ %set, %start ], [ %done, %launch ]
  call void @failed(ptr %c, i32 %why, i64 {REPLAYED})
  br label %end

end:
  ret void
}}
"""
CALLED = ("cuLaunchKernel", "cuCtxSetCurrent", "cuMemcpyDtoDAsync_v2", "cuGraphLaunch")
"""The driver's functions that the compiled ones call."""
COMPILED = (LAUNCH, COPY, RECORD, REPLAY)
CALLED_BACK = (ALLOC, FREE)
"""The functions that lead into Python: memory that is kept is found there."""


@functools.cache
def image() -> bytes:
    """The object code of the compiled functions."""
    from hologram.host_target import host_target
    from hologram.lowering.emit.native import compile_ir

    return compile_ir(_IR, host_target()).object
