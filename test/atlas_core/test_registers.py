"""What lanes do with values in registers beside arithmetic: bits as another type, reductions over a window."""

from __future__ import annotations

import numpy as np
import pytest

from hologram.dialects.atlas.arrays.reference import ACCUMULATORS
from hologram.dialects.atlas.instructions.types import DTYPES

from .programs import Array, Both, both

PAIRS = (("f32", "u32"), ("i32", "f32"), ("f64", "i64"), ("u64", "f64"), ("f16", "bf16"), ("bf16", "i16"),
         ("u16", "f16"), ("u8", "i8"), ("u128", "i128"))  # fmt: skip


def test_bits_stay() -> None:
    """Whatever the bits are, NaNs with payloads included."""
    body, source = "", np.random.default_rng(1).integers(-128, 128, 16 * 8 * len(PAIRS), np.int8)
    patterns = np.array([0x7FC00001, 0xFF800000, 0x80000000, 1, 0x7F800001, 0xFFFFFFFF, 0, 0x7F7FFFFF], np.uint32)
    source[: patterns.nbytes] = patterns.view(np.int8)
    for n, (old, new) in enumerate(PAIRS):
        a, b = DTYPES[old], DTYPES[new]
        body += f"""
          %size{n} = atlas.mov_imm {a.bytes} : i64
          %start{n} = atlas.mov_imm {n * 128} : i64
          %o{n} = atlas.mad i64 %lane, %size{n}, %start{n}
          %p{n} = atlas.lea {old} %a[%o{n} : i64] : memref<?xi8>
          %q{n} = atlas.lea {new} %b[%o{n} : i64] : memref<?xi8>
          %v{n} = atlas.ldg {old} %p{n}[] : !atlas.ptr<{a.ir}, global>
          %w{n} = atlas.cvt.bits {old} to {new} %v{n}
          atlas.stg {new} %w{n}, %q{n}[] : !atlas.ptr<{b.ir}, global>"""
    _, moved = both(body, ["memref<?xi8>", "memref<?xi8>"], [source, np.zeros_like(source)])
    for n, (old, _) in enumerate(PAIRS):
        part = slice(n * 128, n * 128 + 8 * DTYPES[old].bytes)
        assert (moved[part] == source[part]).all(), old


def window(type: str, count: int, kinds: tuple[str, ...]) -> Both:
    t = DTYPES[type].ir
    names = ", ".join(f"%v{n}" for n in range(count))
    loads = "\n".join(
        f"%n{n} = atlas.mov_imm {n} : i64\n%v{n} = atlas.ldg {type} %a[%lane, %n{n} : i64, i64] : memref<?x?x{t}>"
        for n in range(count)
    )
    ends = "\n".join(
        f"%k{n} = atlas.mov_imm {n} : i64\n%r{n} = atlas.reduce.{kind} {type} {names}\n"
        f"atlas.stg {type} %r{n}, %b[%lane, %k{n} : i64, i64] : memref<?x?x{t}>"
        for n, kind in enumerate(kinds)
    )
    return Both(f"\n{loads}\n{ends}", [f"memref<?x?x{t}>"] * 2)


@pytest.mark.parametrize(("type", "count"), [("f32", 1), ("f32", 7), ("u32", 5), ("f16", 6), ("f64", 130)])
def test_windows(type: str, count: int) -> None:
    """As many values as registers hold, in the ISA's association; NaN, infinities and zeros of both signs."""
    kinds = ("add", "min", "max", "mul") if count < ACCUMULATORS else ("add",)
    rng = np.random.default_rng(count)
    if type[0] == "u":
        a: Array = rng.integers(-(2**31), 2**31 - 1, (8, count), np.int32)
    else:
        a = (rng.normal(size=(8, count)) * 3).astype(DTYPES[type].numpy)
        a[1] = -0.0
        a[2] = np.nan
        a[3, ::2], a[4, 0], a[5, -1] = np.nan, np.inf, -np.inf
    _, b = window(type, count, kinds).same([a, np.zeros((8, len(kinds)), a.dtype)])
    if type == "f32" and count == 7:
        sums, x = b[0, 0], a[0]
        assert sums == ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + x[3])
        assert np.signbit(b[1, 0])
        assert b[2, 1:3].tolist() == [np.inf, -np.inf]
