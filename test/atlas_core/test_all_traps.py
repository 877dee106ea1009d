"""Every trap of lanes in one program: the same lane traps both ways, its values are named, the next launch works."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from hologram.dialects import make_context
from hologram.errors import TrapError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

Array = np.ndarray[Any, np.dtype[Any]]
POINTER = "!atlas.ptr<f32, {}>"
SHARED, POOL = (f"memref<4xf32, #atlas.space<{space}>>" for space in ("shared", "pool"))
X = "memref<4xf32>"

TRAPS = {
    "div": ("%r = atlas.div i32 %seven, %none", "trap-division", "integer division by zero", (7, 0)),
    "rem": ("%r = atlas.rem u64 %four, %zero", "trap-division", "integer division by zero", (4, 0)),
    "ldg": (f"%r = atlas.ldg f32 %x[%four : i64] : {X}", "trap-out-of-range", "index out of range", (4, 4)),
    "stg": (f"atlas.stg f32 %f, %x[%minus : i64] : {X}", "trap-out-of-range", "index out of range", (-1, 4)),
    "lds": (f"%r = atlas.lds f32 %s[%four : i64] : {SHARED}", "trap-out-of-range", "index out of range", (4, 4)),
    "pool": (f"atlas.pool.store f32 %f, %q[%four : i64] : {POOL}", "trap-out-of-range", "index out of range", (4, 4)),
    "atomic": (f"%r = atlas.atom.add f32 %f, %x[%four : i64] : {X}", "trap-out-of-range", "index out of range", (4, 4)),
    "pointer": (f"%r = atlas.ldg f32 %p[%sixteen : i64] : {POINTER.format('global')}", "trap-out-of-range",
                "address out of range", (16, 16)),
    "misaligned": (f"%r = atlas.ldg f32 %p[%two : i64] : {POINTER.format('global')}", "trap-misaligned",
                   "misaligned address", (2, 4)),
    "vector": (f"%r, %t = atlas.ldg v2 f32 %x[%one : i64] : {X}", "trap-misaligned", "misaligned address", (1, 2)),
    "span": (f"%r = atlas.reduce.add.span f32 %x[%one : i64] : {X}, %four", "trap-out-of-range",
             "index out of range", (1, 4)),
    "place": ("%r = atlas.bound.map f32 %c100, %none, %none", "trap-class-place", "place out of class memory",
              (100, 96)),
    "class": ("%r = atlas.mirror u32 %c100", "trap-class", "", (100,)),
    "neighbour": (f"%r = atlas.nbr.load f32 %b[] : {POINTER.format('class')}, %seven", "trap-neighbour", "", (0, 7)),
    "resonance": ("atlas.res.accum f32 %none, %nan", "trap-resonance", "a value that R can't hold",
                  ("nan",)),
    "assertion": ("atlas.assert %false, \"this must hold\" values(%four : i64)", "trap-assert", "this must hold", (4,)),
}  # fmt: skip
"""The line, the interpreter's code, what the compiled program says, and the values that it names."""


def text() -> str:
    """A program whose lane 2 of block 1 does what its argument says."""
    lines = "\n".join(
        f"  %n{n} = atlas.mov_imm {n} : i64\n  %is{n} = atlas.setcc eq i64 %chosen, %n{n}\n  atlas.if %is{n} {{\n"
        f"    {line}\n    atlas.yield\n  }}"
        for n, (line, *_) in enumerate(TRAPS.values())
    )
    return f"""atlas.pool @ring : {POOL}
func.func @main(%which: i64, %x: {X}) {{
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  atlas.launch @lanes grid(%two, %one, %one) args(%which, %x : i64, {X})
  func.return
}}
atlas.program @lanes(%which: i64, %x: {X}) block [4, 1, 1] {{
  %i = atlas.special gid : i64
  %zero = atlas.mov_imm 0 : i64
  %one = atlas.mov_imm 1 : i64
  %two = atlas.mov_imm 2 : i64
  %four = atlas.mov_imm 4 : i64
  %six = atlas.mov_imm 6 : i64
  %sixteen = atlas.mov_imm 16 : i64
  %minus = atlas.mov_imm -1 : i64
  %none = atlas.mov_imm 0 : i32
  %seven = atlas.mov_imm 7 : i32
  %c100 = atlas.mov_imm 100 : i32
  %f = atlas.mov_imm 1.0 : f32
  %nan = atlas.mov_imm 0x7FC00000 : f32
  %false = atlas.mov_imm false
  %s = atlas.alloca : {SHARED}
  %q = atlas.pool.alloc @ring : {POOL}
  %p = atlas.lea f32 %x[] : {X}
  %b = atlas.bound.map f32 %none, %none, %none
  %mine = atlas.setcc eq i64 %i, %six
  %chosen = atlas.sel i64 %mine, %which, %minus
{lines}
  atlas.if %mine {{
    atlas.stg f32 %f, %x[%zero : i64] : {X}
    atlas.yield
  }}
}}"""


@pytest.fixture(scope="module")
def programs() -> Any:
    """The program, parsed and compiled."""
    source = text()
    module = parse_module(source, "traps.mlir", make_context())
    module.verify()
    return module, hologram.compile(source, opt_level=1)


@pytest.mark.parametrize("name", TRAPS)
def test_trap(name: str, programs: Any):
    module, kernel = programs
    _, code, words, values = TRAPS[name]
    number = list(TRAPS).index(name)
    with pytest.raises(TrapError, match=r"@lanes: .*lane \(2, 0, 0\) of block \(1, 0, 0\)") as caught:
        interpret(module, "main", [number, np.zeros(4, np.float32)])
    assert caught.value.code == code
    with pytest.raises(TrapError, match="program 'main' trapped in lane 6: ") as caught:
        kernel(number, np.zeros(4, np.float32))
    message = str(caught.value)
    assert words in message
    assert f"(values {', '.join(map(str, values))}" in message
    assert ("this" if name == "assertion" else f"atlas.{TRAPS[name][0].partition('atlas.')[2].split()[0]}") in message
    x = np.zeros(4, np.float32)
    kernel(-1, x)
    assert x.tolist() == [1, 0, 0, 0]


def test_values_of_any_type():
    """Floats as floats, predicates, integers with as many words as there are."""
    kernel = hologram.compile("""
func.func @main(%x: f32, %y: i512, %z: bf16) {
  %one = arith.constant 1 : index
  atlas.launch @p grid(%one, %one, %one) args(%x, %y, %z : f32, i512, bf16)
  func.return
}
atlas.program @p(%x: f32, %y: i512, %z: bf16) block [1, 1, 1] {
  %zero = atlas.mov_imm 0.0 : f32
  %low = atlas.setcc lt f32 %x, %zero
  atlas.assert %low, "low" values(%x, %y : f32, i512)
  %small = atlas.setcc lt f32 %zero, %x
  atlas.assert %small, "small" values(%z, %low : bf16, i1)
}""", opt_level=1)  # fmt: skip
    with pytest.raises(TrapError, match=r"low \(values 0\.5, 0x5, the low 320 of 512 bits\)"):
        kernel(0.5, 2**511 - 2**400 + 5 - 2**511, 2.0)
    with pytest.raises(TrapError, match=r"small \(values -1\.5, 1\)"):
        kernel(-0.5, 0, -1.5)
