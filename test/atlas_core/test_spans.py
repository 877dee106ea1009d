"""`reduce.*` over elements of memory: every place and type, the fixed association, what traps."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hologram
from fuzz.counts import PROGRAMS
from hologram import isa
from hologram.dialects.atlas.arrays.general import Kind
from hologram.dialects.atlas.arrays.reference import combine
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.errors import TrapError

from .programs import Both, both

Array = np.ndarray[Any, np.dtype[Any]]
KINDS = ("add", "min", "max", "mul")
LENGTHS = [0, 1, 2, 127, 128, 129, 4095, 4096, 4097, 9000, 20483]
NUMPY: dict[str, Any] = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
    "i8": np.int8, "i64": np.int64, "u16": np.int16,
}  # fmt: skip


def arguments(*elements: str) -> list[str]:
    return [f"memref<?x{e}>" for e in elements]


def lines(dtype: str, place: str, prefix: str = "") -> str:
    """The four reductions of %n elements at a place, to %d at the lane's number times 4."""
    ir = DTYPES[dtype].ir
    text = f"\n%{prefix}four = atlas.mov_imm 4 : i64\n%{prefix}at = atlas.mul i64 %gid, %{prefix}four"
    for number, kind in enumerate(KINDS):
        text += f"""
      %{prefix}{kind} = atlas.reduce.{kind}.span {dtype} {place}, %n
      %{prefix}c{number} = atlas.mov_imm {number} : i64
      %{prefix}o{number} = atlas.add i64 %{prefix}at, %{prefix}c{number}
      atlas.stg {dtype} %{prefix}{kind}, %d[%{prefix}o{number} : i64] : memref<?x{ir}>"""
    return text


GIVEN = "%n = atlas.ldg i64 %b[%gid : i64] : memref<?xi64>\n%s = atlas.ldg i64 %c[%gid : i64] : memref<?xi64>"


def numbers(dtype: str, count: int) -> Array:
    rng = np.random.default_rng(count)
    if not DTYPES[dtype].is_float:
        return rng.integers(-100, 100, count).astype(NUMPY[dtype])
    x = rng.normal(1, 0.2, count).astype(NUMPY[dtype])
    x[count // 2 :: 977] = -0.0
    return x


@pytest.mark.parametrize("dtype", list(NUMPY) if PROGRAMS > 1000 else ["f16", "u16"])
def test_types_and_lengths(dtype: str):
    ir = str(DTYPES[dtype].ir)
    x = numbers(dtype, 20500)
    starts = np.arange(len(LENGTHS)) + 3
    out = np.zeros(4 * len(LENGTHS), x.dtype)
    body = GIVEN + lines(dtype, f"%a[%s : i64] : memref<?x{ir}>")
    *_, out = both(body, arguments(ir, "i64", "i64", ir), [x, np.array(LENGTHS), starts, out], block=len(LENGTHS))
    for lane, length in enumerate(LENGTHS):
        part = x[starts[lane] : starts[lane] + length]
        for number, kind in enumerate(KINDS):
            expected = combine(Kind(kind), DTYPES[dtype], part)
            assert out[4 * lane + number].tobytes() == expected.astype(x.dtype).tobytes(), (kind, length)


def test_special_values():
    """NaN wins in sums and products, is skipped by min and max; an empty sum is +0, the sum of -0 is -0."""
    x = np.array([np.nan, -0.0, np.inf, -np.inf, np.nan, np.nan, 0.0, -0.0], np.float32)
    spans = [(0, 0), (1, 1), (0, 2), (2, 2), (4, 2), (6, 2), (0, 8), (8, 0)]
    ns, starts = (np.array([s[k] for s in spans]) for k in (1, 0))
    body = GIVEN + lines("f32", "%a[%s : i64] : memref<?xf32>")
    *_, out = both(body, arguments("f32", "i64", "i64", "f32"), [x, ns, starts, np.ones(32, np.float32)])
    sums = out[::4]
    assert sums[0] == 0
    assert not np.signbit(sums[0])
    assert np.signbit(sums[1])
    assert np.isnan(sums[2:5]).all()
    assert out[4 * 4 + 1 : 4 * 4 + 3].tolist() == [np.inf, -np.inf]
    assert np.signbit(out[5 * 4 + 1])
    assert not np.signbit(out[5 * 4 + 2])


def test_places():
    """Bytes read as numbers, pointers from several ways, shared and local memory, more axes, and integers of limbs."""
    body = f"""{GIVEN}
      %eight = atlas.mov_imm 8 : i64
      %o = atlas.mul i64 %s, %eight
      %p = atlas.lea f64 %a[%o : i64] : memref<?xi8>
      %zero = atlas.mov_imm 0 : i64
      %q = atlas.lea f64 %a[] : memref<?xi8>
      %two = atlas.mov_imm 2 : i64
      %low = atlas.setcc lt i64 %gid, %two
      %r = atlas.if %low -> (!atlas.ptr<f64, global>) {{
        atlas.yield %p : !atlas.ptr<f64, global>
      }} else {{
        atlas.yield %q : !atlas.ptr<f64, global>
      }}
      %shared = atlas.alloca : memref<2x8xf64, #atlas.space<shared>>
      %local = atlas.alloca : memref<4xf64, #atlas.space<local>>
      %v = atlas.ldg f64 %p[] : !atlas.ptr<f64, global>
      %one = atlas.mov_imm 1 : i64
      atlas.sts f64 %v, %shared[%one, %gid : i64, i64] : memref<2x8xf64, #atlas.space<shared>>
      atlas.stl f64 %v, %local[%one : i64] : memref<4xf64, #atlas.space<local>>
      atlas.stl f64 %v, %local[%two : i64] : memref<4xf64, #atlas.space<local>>
      atlas.bar.sync 0
      %t = atlas.reduce.add.span f64 %shared[%one, %zero : i64, i64] : memref<2x8xf64, #atlas.space<shared>>, %n
      %u = atlas.reduce.add.span f64 %local[%one : i64] : memref<4xf64, #atlas.space<local>>, %two
      %w = atlas.reduce.max.span f64 %r[] : !atlas.ptr<f64, global>, %n
      %x = atlas.reduce.min.span f64 %p[] : !atlas.ptr<f64, global>, %n
      %y = atlas.add f64 %t, %u
      %z = atlas.mad f64 %w, %x, %y
      atlas.stg f64 %z, %d[%gid : i64] : memref<?xf64>
      %k = atlas.reduce.add.span u256 %e[%zero, %zero : i64, i64] : memref<2x2xi256>, %n
      %m = atlas.cvt u256 to u64 %k
      atlas.stg u64 %m, %f[%gid : i64] : memref<?xi64>"""
    types = [*arguments("i8", "i64", "i64", "f64"), "memref<2x2xi256>", "memref<?xi64>"]
    numbers = np.random.default_rng(1).normal(size=16)
    wide = np.random.default_rng(2).integers(0, 1 << 62, (2, 2, 4)).astype(np.uint64)
    ns, starts = np.array([0, 1, 2, 3, 4, 4, 1, 2]), np.array([0, 1, 2, 3, 4, 5, 6, 7])
    given = [numbers.view(np.int8), ns, starts, np.zeros(8), wide, np.zeros(8, np.int64)]
    *_, out, _, sums = both(body, types, given)
    flat = wide.reshape(4, 4)[:, 0]
    assert sums.view(np.uint64).tolist() == [int(flat[:n].sum(dtype=np.uint64)) for n in ns]
    assert np.isfinite(out[1:]).all()


def trapping(place: str) -> Both:
    body = f"""{GIVEN}
      %p = atlas.lea f32 %a[%s : i64] : memref<?xf32>
      %v = atlas.reduce.add.span f32 {place}, %n
      atlas.stg f32 %v, %d[%gid : i64] : memref<?xf32>"""
    return Both(body, arguments("f32", "i64", "i64", "f32"), block=1)


LARGEST = (1 << 63) - 1


@pytest.mark.parametrize("pointer", [False, True])
def test_traps(pointer: bool):
    """The least that is too much, the most that there is, what would wrap; then the process goes on."""
    program = trapping("%p[] : !atlas.ptr<f32, global>" if pointer else "%a[%s : i64] : memref<?xf32>")
    x, out, step = np.ones(8, np.float32), np.zeros(1, np.float32), 4 if pointer else 1

    def given(start: int, n: int) -> list[Array]:
        return [x, np.array([n]), np.array([start]), out]

    for start, n in [(0, 8), (7, 1), (5, 3), (3, 0), (100, 0), (-1, 0)]:
        assert program.same(given(start * step, n))[3][0] == n
    wrapping = [(0, -1), (0, LARGEST), (1, 1 << 62), (LARGEST // step, 1), (-LARGEST // step, 1 << 62)]
    for start, n in [(0, 9), (8, 1), (7, 2), (-1, 1), *wrapping]:
        program.trap(given(start * step, n), "trap-out-of-range", "out of range")
    if pointer:
        program.trap(given(2, 1), "trap-misaligned", "misaligned address")
        program.same(given(2, 0))
    assert program.same(given(0, 2))[3][0] == 2


def test_races_and_what_nobody_wrote():
    shared = "memref<4xf32, #atlas.space<shared>>"
    body = f"""{GIVEN}
      %m = atlas.alloca : {shared}
      %f = atlas.mov_imm 1.0 : f32
      atlas.sts f32 %f, %m[%gid : i64] : {shared}
      BAR
      %v = atlas.reduce.add.span f32 %m[%s : i64] : {shared}, %n
      atlas.stg f32 %v, %d[%gid : i64] : memref<?xf32>"""
    types = arguments("f32", "i64", "i64", "f32")

    def run(n: int, bar: str) -> None:
        x, some = np.zeros(1, np.float32), np.full(2, n)
        both(body.replace("BAR", bar), types, [x, some, np.zeros(2, np.int64), np.zeros(2, np.float32)], block=2)

    run(2, "atlas.bar.sync 0")
    with pytest.raises(TrapError, match="data race"):
        run(2, "")
    with pytest.raises(TrapError, match="read before it is written"):
        run(3, "atlas.bar.sync 0")


ASSEMBLY = """.pool pool0: f32[16]
.program p(buf0: f32[?], buf1: f32[?]) {
  .launch grid(1, 1, 1) block(1, 1, 1)
  mov_imm.u64 r0, 5
  reduce.add.f32 r1, [buf0 + 4], r0
  stg.f32 [c7 + 8], r1
  pool.store.f32 [pool0 + 60], r1
  mov_imm.u64 r2, 1
  reduce.max.f32 r3, [pool0 + 60], r2
  reduce.mul.f32 r4, [c7 + 8], r2
  mov.f32 r5, r4
  reduce.add.f32 r6, r3, 3
  stg.f32 [buf1], r6
}
"""


def test_assembly_has_both_forms():
    """A mnemonic of one spelling: over memory with an address, over a window of registers with a number."""
    text = isa.disassemble(isa.assemble(ASSEMBLY))
    assert "reduce.add.f32 r1, [buf0 + 4], r0" in text
    assert "reduce.add.f32 r6, r3, 3" in text
    assert isa.disassemble(isa.decode(isa.encode(isa.assemble(text)))) == text
    out = np.zeros(1, np.float32)
    hologram.compile(ASSEMBLY)(np.arange(8, dtype=np.float32), out)
    assert out[0] == 3 * 15
