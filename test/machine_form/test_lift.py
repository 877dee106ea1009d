"""Machine code lifted to SSA form: in the interpreter and compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from hologram import isa
from hologram.dialects import make_context
from hologram.errors import HologramError, TrapError
from hologram.interpreter import interpret_program
from hologram.lowering.machine.assign_registers import AssignRegistersPass
from hologram.lowering.machine.lift_machine import LiftMachinePass
from hologram.transforms.analysis.verifier import verify_module
from hologram.transforms.lanes.structure_control_flow import StructureControlFlowPass

PROGRAMS = Path(__file__).parent / "programs"
Array = np.ndarray[Any, np.dtype[Any]]
Run = Callable[[str, str, Sequence[Any]], None]


def lifted(text: str) -> Any:
    """The lifted module, verified."""
    module = isa.assemble(text)
    LiftMachinePass().apply(make_context(), module)
    verify_module(module)
    assert not any(op.dialect_name() == "machine" for op in module.walk())
    return module


def interpreted(text: str, name: str, args: Sequence[Any], grid: int = 1) -> None:
    interpret_program(lifted(text), name, list(args), grid=(grid, 1, 1))


def compiled(text: str, name: str, args: Sequence[Any], grid: int = 1) -> None:
    """Launched by a function that takes what the program takes."""
    module = lifted(text)
    program = next(op for op in module.walk() if op.name == "atlas.program" and op.sym_name.data == name)
    types = [str(t) for t in program.function_type.inputs]
    names = [f"%a{n}" for n in range(len(types))]
    heads = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
    host = f"""func.func @main({heads}) {{
      %grid = arith.constant {grid} : index
      %one = arith.constant 1 : index
      atlas.launch @{name} grid(%grid, %one, %one) args({", ".join(names)} : {", ".join(types)})
      func.return
    }}"""
    body = "\n".join(str(op) for op in module.body.block.ops)
    hologram.compile(f"{host}\n{body}", cache=False, opt_level=1)(*args)


WAYS = pytest.mark.parametrize("run", [interpreted, compiled])


@WAYS
def test_saxpy(run: Any):
    x = np.arange(300, dtype=np.float32)
    y = np.ones(300, np.float32)
    run((PROGRAMS / "saxpy.atlas").read_text(), "saxpy", [np.float32(3), x, y, np.int64(290)], 2)
    assert np.array_equal(y[:290], 3 * x[:290] + 1)
    assert np.all(y[290:] == 1)


@WAYS
def test_block_sum(run: Any):
    """Shared memory, barriers, and a bottom loop with a branch inside."""
    x = np.arange(500, dtype=np.float32)
    sums = np.zeros(2, np.float32)
    run((PROGRAMS / "block_sum.atlas").read_text(), "block_sum", [x, sums, np.int64(500)], 2)
    assert sums.tolist() == [float(x[:256].sum()), float(x[256:].sum())]


def program(lines: str, header: str = "buf0: i32[?]") -> str:
    return f".program p({header}) {{\n  .launch block(8, 1, 1)\n{lines}\n}}\n"


@WAYS
def test_pointers_special_registers_and_wide_values(run: Any):
    """r252 and r255 at the start, a pointer in a register, an i128 in two, a function with local memory."""
    text = """.func twice(r1: i128) -> (r4: i128) {
  .local local0: i128[1]
  stl.i128 [local0], r1
  ldl.i128 r8, [local0]
  add.i128 r4, r8, r1
  ret
}
""" + program("""  mov_imm.u64 r1, 4
  mul.u64 r1, r255, r1
  lea.i32 r10, [buf0 + r1]
  ldg.i32 r0, [r10]
  cvt.i128.i32 r1, r0
  mov_imm.i128 r12, 18446744073709551616
  mul.i128 r1, r1, r12
  call twice
  mov_imm.u32 r13, 65
  shr.i128 r4, r4, r13
  cvt.i32.i128 r20, r4
  add.i32 r20, r20, r252
  stg.i32 [r10 + 0], r20
  exit""")
    x = np.array([5, -6, 7, 0, 1, 2, -3, 100], np.int32)
    expected = x + np.arange(8, dtype=np.int32)
    run(text, "p", [x])
    assert x.tolist() == expected.tolist()


@WAYS
def test_read_of_what_only_some_lanes_wrote_traps(run: Any):
    text = program("""  mov_imm.u64 r1, 4
  mul.u64 r1, r255, r1
  ldg.i32 r0, [buf0 + r1]
  mov_imm.i32 r2, 3
  setlt.i32 p0, r0, r2
  @p0 bra use
  mov_imm.i32 r3, 7
use:
  setlt.i32 p1, r0, r2
  @p1 bra end
  stg.i32 [buf0 + r1], r3
end:
  setne.i32 p1, r0, r0
  @!p1 bra out
  stg.i32 [buf0 + r1], r3
out:
  exit""")
    x = np.array([1, 5, 2, 9, 0, 3, 4, -1], np.int32)
    run(text, "p", [x])
    assert x.tolist() == [1, 7, 2, 7, 0, 7, 7, -1]
    with pytest.raises(TrapError, match="r3 is read before it is written"):
        run(text.replace("@!p1 bra out", ""), "p", [np.array([1, 5, 2, 9, 0, 3, 4, -1], np.int32)])


REFUSED = {
    "lift-uninitialised": "  add.i32 r1, r0, r0\n  exit",
    "lift-mistyped": "  mov_imm.f32 r0, 1.0\n  add.i32 r1, r0, r0\n  exit",
}


@pytest.mark.parametrize("code", REFUSED)
def test_refused(code: str):
    with pytest.raises(HologramError) as caught:
        lifted(program(REFUSED[code]))
    assert caught.value.code == code
    assert caught.value.where is not None


def test_wide_writes_end_what_they_overlap():
    with pytest.raises(HologramError, match="reads r1"):
        lifted(program("  mov_imm.i32 r1, 1\n  mov_imm.i128 r0, 2\n  add.i32 r2, r1, r1\n  exit"))


@WAYS
def test_vectors_lie_in_consecutive_registers(run: Any):
    text = program("""  mov_imm.u64 r1, 8
  mul.u64 r1, r255, r1
  ldg.v2.i32 r4, [buf0 + r1]
  add.i32 r6, r4, r5
  sub.i32 r5, r4, r5
  mov.i32 r4, r6
  stg.v2.i32 [buf0 + r1], r4
  exit""")
    x = np.arange(16, dtype=np.int32) ** 2
    pairs = x.reshape(8, 2).copy()
    run(text, "p", [x])
    assert x.reshape(8, 2).tolist() == [[int(a + b), int(a - b)] for a, b in pairs]


OBJECTS = """.pool pool0: f32[64]
.func get(r0: u64) -> (r1: f32) {
  pool.load.f32 r1, [pool0 + r0]
  ret
}
.program p(buf0: f32[?]) {
  .launch block(8, 1, 1)
  pool.alloc pool0
  mov_imm.u64 r9, 4
  mul.u64 r2, r255, r9
  ldg.f32 r3, [buf0 + r2]
  mov.f32 r4, r3
  pool.store.f32 [pool0 + r2 + 128], r4
  lea.f32 r10, [pool0 + r2]
  pool.load.f32 r5, [r10 + 128]
  mov_imm.u64 r0, 128
  add.u64 r0, r0, r2
  call get
  add.f32 r5, r5, r1
  stg.f32 [c21 + r2], r5
  mov_imm.u32 r20, 21
  mov_imm.u64 r21, 0
  cvt.u32.u64 r22, r2
  bound.map.f32 r11, r20, r252, r22
  setlt.u32 p0, r252, r20
  @p0 bra on
  lea.f32 r11, [Φ(r20, r21, r21)]
on:
  ldg.f32 r6, [Φ(r20, r21, r22)]
  stg.f32 [r11 + 1024], r6
  cls.get.f32 r7, [r11]
  cvt.f32.u32 r7, r7
  add.f32 r6, r6, r7
  stg.f32 [buf0 + r2], r6
  pool.free pool0
}
"""


def assigned(text: str) -> str:
    """The program through SSA form and registers, as assembly again."""
    module = lifted(text)
    StructureControlFlowPass().apply(make_context(), module)
    AssignRegistersPass().apply(make_context(), module)
    return isa.disassemble(module)


@WAYS
@pytest.mark.parametrize("text", [OBJECTS, assigned(OBJECTS)], ids=["lifted", "assigned"])
def test_pools_and_class_memory(run: Any, text: str):
    """Addresses in pools and classes, by name and by class, page and byte; pointers from several ways."""
    x = np.arange(8, dtype=np.float32)
    run(text, "p", [x])
    assert x.tolist() == [2 * n + 21 for n in range(8)]


@WAYS
def test_a_place_past_class_memory(run: Any):
    """A page beyond 32 bits does not wrap to one that is there."""
    text = program("  mov_imm.u64 r0, 4294967296\n  ldg.i32 r1, [Φ(r252, r0, r252)]\n  stg.i32 [buf0], r1")
    with pytest.raises(TrapError, match="place out of class memory"):
        run(text, "p", [np.zeros(1, np.int32)])
