"""The machine's limits, measured by loops of ours from LLVM IR: memory traffic with and without streaming stores, and
fused multiply-adds. One process a thread: `Worker.limit` runs one for a while, and the rates of processes that run at
the same time add up.
"""

from __future__ import annotations

import ctypes
import time
from importlib import import_module
from typing import Any

import cases
import numpy as np

llvm: Any = import_module("llvmlite.binding")

LARGE = 1 << 24
CACHED = 1 << 18
UNROLLED = 4
CHAINS = 24
"""Sums in flight, enough for two units of four cycles at any vector width in use."""


def versions() -> dict[str, str]:
    """The version of LLVM, which compiles the loops."""
    return {"llvm": ".".join(map(str, llvm.llvm_version_info))}


def start(threads: int) -> None:
    """Compiles the loops."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    lanes = 16 if features.get("avx512f") else 8 if features.get("avx") else 4
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features.flatten(), opt=3
    )
    module = llvm.parse_assembly(make_module(lanes))
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    for name in FUNCTIONS:
        prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64)
        functions[name] = prototype(engine.get_function_address(name)), lanes
    kept.append(engine)
    for name, size in (("large", LARGE), ("cached", CACHED)):
        buffers[name] = [cases.make_buffer((size,), i) for i in range(3)]
        for buffer in buffers[name]:
            buffer.fill(1)


functions: dict[str, tuple[Any, int]] = {}
buffers: dict[str, list[Any]] = {}
kept: list[Any] = []
FUNCTIONS = ("copy", "copy_streaming", "triad", "triad_streaming", "read", "read_apart", "fma")
LIMITS = {
    # name: (function, buffers, bytes an element)
    "copy, plain stores": ("copy", "large", 8),
    "copy, streaming stores": ("copy_streaming", "large", 8),
    "triad, plain stores": ("triad", "large", 12),
    "triad, streaming stores": ("triad_streaming", "large", 12),
    "read": ("read", "large", 4),
    "read in four places": ("read_apart", "large", 4),
    "triad of 3 x 1 MiB": ("triad", "cached", 12),
    "fused multiply-add": ("fma", "cached", 0),
}


def limit(name: str, begin: float, seconds: float) -> float:
    """GB/s, or GFLOP/s, of one thread, from `begin` of the monotonic clock on for at least so many seconds."""
    function, size, width = LIMITS[name]
    call, lanes = functions[function]
    arrays = buffers[size]
    pointers = [x.ctypes.data for x in arrays]
    count = arrays[0].size if width else 1 << 18
    work = width * count if width else 2 * CHAINS * lanes * count
    count = count // UNROLLED if function == "read_apart" else count
    call(*pointers, count)
    time.sleep(max(0, begin - time.monotonic()))
    start = now = time.perf_counter()
    calls = 0
    while now < start + seconds:
        call(*pointers, count)
        calls += 1
        now = time.perf_counter()
    if size == "large" and function.startswith("triad"):
        assert arrays[2][-1] == np.float32(4), "the triad is wrong"
    return work * calls / (now - start) / 1e9


def make_module(lanes: int) -> str:
    """All loops, as LLVM IR. Sizes divide by the step; buffers are aligned."""
    bits = lanes * 32
    vector = f"<{lanes} x float>"
    return "\n".join(
        [
            make_loop("copy", vector, lanes, copied(vector, "")),
            make_loop("copy_streaming", vector, lanes, copied(vector, ", !nontemporal !0")),
            make_loop("triad", vector, lanes, triad(vector, "")),
            make_loop("triad_streaming", vector, lanes, triad(vector, ", !nontemporal !0")),
            make_loop("read", vector, lanes, summed(vector), UNROLLED),
            make_loop("read_apart", vector, lanes, summed(vector), UNROLLED, apart=LARGE // UNROLLED),
            make_loop("fma", vector, 1, multiplied(vector), CHAINS),
            f"declare {vector} @llvm.fma.v{lanes}f32({vector}, {vector}, {vector})",
            f'attributes #0 = {{ nounwind "min-legal-vector-width"="{bits}" "prefer-vector-width"="{bits}" }}',
            "!0 = !{i32 1}",
        ]
    )


def copied(vector: str, mark: str) -> list[str]:
    """c = a; `#` is the number of the vector in a step."""
    return [f"%v# = load {vector}, ptr %a#, align 64", f"store {vector} %v#, ptr %c#, align 64{mark}"]


def triad(vector: str, mark: str) -> list[str]:
    """c = 3 a + b."""
    return [
        f"%u# = load {vector}, ptr %a#, align 64",
        f"%v# = load {vector}, ptr %b#, align 64",
        f"%p# = fmul {vector} %u#, splat (float 3.0)",
        f"%s# = fadd {vector} %p#, %v#",
        f"store {vector} %s#, ptr %c#, align 64{mark}",
    ]


def summed(vector: str) -> list[str]:
    """Sums of a."""
    return [f"%v# = load {vector}, ptr %a#, align 64", f"%n# = fadd {vector} %s#, %v#"]


def multiplied(vector: str) -> list[str]:
    """Sums that nothing feeds but themselves."""
    call = f"call {vector} @llvm.fma.v{vector[1:].split()[0]}f32({vector} %s#, {vector}"
    return [f"%n# = {call} splat (float 5.0e-01), {vector} splat (float 1.0))"]


def make_loop(name: str, vector: str, lanes: int, body: list[str], sums: int = 0, apart: int = 0) -> str:
    """`void name(a, b, c, n)`: `body` for every vector, several in a step; `sums` go around and are stored at last.

    The vectors of a step are neighbours, or so many elements `apart`.
    """
    steps = sums if name == "fma" else UNROLLED
    step = 1 if name == "fma" else lanes if apart else lanes * steps
    lines = [f"define void @{name}(ptr %a, ptr %b, ptr %c, i64 %n) #0 {{", "entry:", "  br label %loop", "loop:"]
    lines.append("  %i = phi i64 [0, %entry], [%next, %loop]")
    lines += [f"  %s{k} = phi {vector} [zeroinitializer, %entry], [%n{k}, %loop]" for k in range(sums)]
    for k in range(steps):
        if name != "fma":
            lines.append(f"  %i{k} = add i64 %i, {k * (apart or lanes)}")
            lines += [f"  %{x}{k} = getelementptr float, ptr %{x}, i64 %i{k}" for x in "abc"]
        lines += [f"  {line.replace('#', str(k))}" for line in body]
    lines += [f"  %next = add i64 %i, {step}", "  %more = icmp slt i64 %next, %n"]
    lines += ["  br i1 %more, label %loop, label %done", "done:"]
    for k in range(sums):
        lines.append(f"  %r{k} = getelementptr {vector}, ptr %c, i64 {k}")
        lines.append(f"  store {vector} %n{k}, ptr %r{k}, align 64")
    return "\n".join([*lines, "  ret void", "}"])
