"""The time of printing LLVM IR."""

from __future__ import annotations

import time

import pytest

from emit.jit import parse
from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
from machine_speed import allowed


@pytest.mark.speed
def test_operations_a_second():
    lines = [
        f"%a{n} = llvm.fadd %x, %x : f32\n%p{n} = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32\n"
        f"llvm.store %a{n}, %p{n} {{alignment = 4}} : f32, !llvm.ptr"
        for n in range(2000)
    ]
    module = parse("llvm.func @f(%x: f32, %p: !llvm.ptr, %i: i64) {\n" + "\n".join(lines) + "\nllvm.return\n}")
    times: list[float] = []
    for _ in range(5):
        start = time.process_time()
        emit_llvm_ir(module)
        times.append(time.process_time() - start)
    assert min(times) < allowed(3 * 2000 / 80_000)
