"""Pointers whose object is not known when a program is compiled, as OpenCL C: chosen between buffers, between arrays of
a block and of a lane, into memory of other types; and atomics through them."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from conformance.batch import on_interpreter
from devices.columns import Column
from hologram.errors import TrapError

pytestmark = [pytest.mark.device, pytest.mark.timeout(300)]

COLUMN = Column("opencl")
CHOSEN = """
.program chosen(buf0: {type}[?], buf1: {type}[?], buf2: {type}[?], buf3: u32[?], r40: u64) {{
  .launch block(8, 1, 1)
  .shared shared0: {type}[8]
  .shared shared1: {type}[8]
  .local local0: {type}[2]
  .local local1: {type}[2]
  mov_imm.u64 r0, {bytes}
  mul.u64 r0, r0, r255
  mov_imm.u64 r1, 4
  mul.u64 r1, r1, r255
  ldg.u32 r2, [buf3 + r1]
  cvt.bool.u32 p0, r2
  ldg.{type} {value}, [buf0 + r0]
  ldg.{type} {other}, [buf1 + r0]
  sts.{type} [shared0 + r0], {value}
  sts.{type} [shared1 + r0], {other}
  stl.{type} [local0 + {bytes}], {value}
  stl.{type} [local1 + {bytes}], {other}
  bar.sync 0
  lea.{type} r20, [buf0 + r0]
  lea.{type} r21, [shared0 + r0]
  lea.{type} r22, [local0 + {bytes}]
  @p0 bra taken
  lea.{type} r20, [buf1 + r0]
  lea.{type} r21, [shared1 + r0]
  lea.{type} r22, [local1 + {bytes}]
taken:
  lea.{type} r20, [r20 + r40]
  {rest}
  stg.{type} [buf2 + r0], {value}
  exit
}}
"""


def outcome(run: Any, arguments: list[Any], grid: int = 1) -> list[bytes] | str:
    """The bytes of all arrays after a launch, or that it trapped."""
    given = copy.deepcopy(arguments)
    try:
        run(given, (grid, 1, 1))
    except TrapError:
        return "trap"
    return [a.tobytes() for a in given if isinstance(a, np.ndarray)]


def compare(text: str, launches: list[list[Any]]) -> list[Any]:
    """The outcomes of launches, which are the interpreter's."""
    if COLUMN.missing:
        pytest.skip(COLUMN.missing)
    on_device, reference = COLUMN.run(text), on_interpreter(text)
    found = [outcome(on_device, arguments) for arguments in launches]
    assert found == [outcome(reference, arguments) for arguments in launches]
    return found


def given(type: str, offset: int) -> list[Any]:
    limbs = max(1, int(type[1:]) // 64)
    kind = np.dtype({"u8": "u1", "u32": "u4", "f32": "f4", "f64": "f8"}.get(type, "u8"))
    shape = (8, limbs) if limbs > 1 else (8,)
    arrays = [np.random.default_rng(n).integers(0, 250, shape).astype(kind) for n in range(2)]
    return [*arrays, np.zeros(shape, kind), np.arange(8, dtype=np.uint32) % 3, offset]


@pytest.mark.parametrize(
    ("type", "space"),
    [("u32", "global"), ("f32", "shared"), ("u8", "local"), ("u8", "all"), ("f64", "all"), ("u256", "all")],
)
def test_chosen_pointers(type: str, space: str):
    registers = max(1, int(type[1:]) // 64)
    bytes = int(type[1:]) // 8
    names = {"type": type, "bytes": bytes, "value": "r4", "other": f"r{4 + registers}"}
    # What two arrays hold is told apart by adding all that is read.
    back = f"add.{type} {names['other']}, {names['other']}, r4"
    loads = {"global": f"ldg.{type} r4, [r20]", "shared": f"lds.{type} r4, [r21]", "local": f"ldl.{type} r4, [r22]"}
    kept = loads.values() if space == "all" else [loads[space]]
    rest = "\n".join(f"{load}\n{back}" for load in kept) + f"\nmov.{type} r4, {names['other']}"
    text = CHOSEN.format(rest=rest, **names)
    if space != "all":
        # Only one kind of address in the kernel: none needs to say its space.
        gone = {"global": "r20", "shared": "r21", "local": "r22"}
        drop = tuple(f"lea.{type} {register}," for name, register in gone.items() if name != space)
        text = "\n".join(line for line in text.splitlines() if not line.strip().startswith(drop))
    launches = [given(type, 0)] + ([given(type, bytes * 8)] if space in ("global", "all") else [])
    found = compare(text, launches)
    assert found[0] != "trap"
    assert found[1:] in ([], ["trap"])


STORED = """
.program stored(buf0: u8[?], buf1: u32[?]) {
  .launch block(4, 1, 1)
  .shared shared0: u8[64]
  mov_imm.u64 r0, 4
  mul.u64 r0, r0, r255
  ldg.u32 r2, [buf1 + r0]
  lea.f32 r4, [buf0 + r0]
  cvt.f32.u32 r5, r2
  stg.f32 [r4], r5
  lea.u32 r6, [buf0 + r0]
  ldg.u32 r7, [r6]
  lea.u32 r8, [shared0 + r0]
  sts.u32 [r8], r7
  lea.f32 r9, [shared0 + r0]
  lds.f32 r10, [r9]
  add.f32 r10, r10, r5
  stg.f32 [r4], r10
  ldg.u32 r7, [r6]
  stg.u32 [buf1 + r0], r7
  exit
}
"""


def test_memory_as_several_types():
    assert compare(STORED, [[np.zeros(16, np.uint8), np.arange(4, dtype=np.uint32) + 3]]) != ["trap"]


ATOMIC = """
.program atomic(buf0: {type}[?], buf1: {type}[?], buf2: {type}[?], buf3: u32[?]) {{
  .launch block(8, 1, 1)
  .shared shared0: {type}[8]
  .shared shared1: {type}[8]
  mov_imm.u64 r0, {bytes}
  mul.u64 r0, r0, r255
  mov_imm.u64 r1, 4
  mul.u64 r1, r1, r255
  ldg.u32 r2, [buf3 + r1]
  cvt.bool.u32 p0, r2
  ldg.{type} r4, [buf2 + r0]
  ldg.{type} r5, [buf0 + r0]
  sts.{type} [shared0 + r0], r5
  sts.{type} [shared1 + r0], r4
  bar.sync 0
  lea.{type} r20, [buf0 + 0]
  lea.{type} r21, [shared0 + 0]
  @p0 bra taken
  lea.{type} r20, [buf1 + 0]
  lea.{type} r21, [shared1 + 0]
taken:
  {lines}
  bar.sync 1
  lds.{type} r5, [shared0 + r0]
  lds.{type} r4, [shared1 + r0]
  add.{type} r5, r5, r4
  stg.{type} [buf2 + r0], r5
  exit
}}
"""


@pytest.mark.parametrize("type", ["i32", "u32", "u64", "f32"])
def test_atomics_through_pointers(type: str):
    """An instruction an element; which lane comes last is nobody's promise, so all bring the same to an exchange."""
    kind = np.dtype({"i32": "i4", "u32": "u4", "u64": "u8", "f32": "f4"}[type])
    names = ["add", "min", "max", *(["and", "or", "xor"] if type != "f32" else [])]
    names = [f"atom.{name}.{type} r6, [{{}} + {n * kind.itemsize}], r4" for n, name in enumerate(names)]
    names += [f"mov_imm.{type} r7, 77"]
    names += [f"atom.exch.{type} r6, [{{}} + {6 * kind.itemsize}], r7"]
    names += [f"mov_imm.{type} r8, 31", f"atom.cas.{type} r6, [{{}} + {7 * kind.itemsize}], r8, r7"]
    lines = "\n".join(name.format(pointer) for pointer in ("r20", "r21") for name in names)
    text = ATOMIC.format(type=type, bytes=kind.itemsize, lines=lines)
    start = [np.arange(200, 208).astype(kind), np.arange(24, 32).astype(kind)]
    operands = np.arange(90, 98).astype(kind)
    assert compare(text, [[*start, operands, np.arange(8, dtype=np.uint32) % 2]]) != ["trap"]
