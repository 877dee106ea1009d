"""Floats of 8 bits: every value there and back, all f16 and bf16 values, ties of wider types; memory and arguments."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hologram
from hologram import isa
from hologram.dialects import make_context
from hologram.dialects.atlas.instructions.reference import convert, convert_finite, round_fraction
from hologram.dialects.atlas.instructions.storage import storage, view
from hologram.dialects.atlas.instructions.types import DTYPES, LARGEST
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

Array = np.ndarray[Any, np.dtype[Any]]
NAMES = ("f8E4M3FN", "f8E5M2")
OTHERS = ("f16", "bf16", "f32", "f64", "i8", "u8", "i32", "u64", "bool")
ALL8 = np.arange(256, dtype=np.uint8)
ALL16 = np.arange(65536, dtype=np.uint16)


def assert_same(got: Array, want: Array) -> None:
    """Equal bits, but any NaN for any."""
    assert got.dtype == want.dtype
    raw = f"u{got.dtype.itemsize}"
    bad = got.view(raw) != want.view(raw)
    if got.dtype.kind not in "iub":
        bad &= ~(np.isnan(got) & np.isnan(want))
    assert not bad.any(), (np.flatnonzero(bad)[:5], got[bad][:5], want[bad][:5])


def exact(value: float, name: str, finite: bool) -> float:
    """The rule of isa.md section 2 for one number, in rationals."""
    limit = LARGEST[name]
    if math.isnan(value):
        return math.nan
    if finite and abs(value) > limit:
        return math.copysign(limit, value)
    if math.isinf(value):
        return value if name == "f8E5M2" else math.nan
    return math.copysign(round_fraction(Fraction(value), DTYPES[name]), value)


def hard_numbers() -> Array:
    """Every value, the middle between each two, both as they are and moved by the least in f64; what is too great."""
    found: list[float] = []
    for name in NAMES:
        values = np.sort(ALL8.view(DTYPES[name].numpy).astype(np.float64)[:128])
        values = values[np.isfinite(values)]
        grid = [*values, 2 * values[-1] - values[-2], 1e9]
        for a, b in zip(grid, grid[1:], strict=False):
            for v in (a, (a + b) / 2):
                found += [v, math.nextafter(v, math.inf), math.nextafter(v, -math.inf)]
                found += [v * (1 + 2.0**-20), v * (1 - 2.0**-20)]
    found += [5e-324, 1e-46, 1e-40, 2.0**-149, 3e38, 1e300, math.inf]
    return np.array([s * v for v in found for s in (1, -1)] + [math.nan])


@pytest.mark.parametrize("name", NAMES)
def test_reference(name: str):
    """The reference function against rationals and, for all f16, against ml_dtypes."""
    t = DTYPES[name]
    numbers = hard_numbers()
    for finite, function in ((False, convert), (True, convert_finite)):
        with np.errstate(all="ignore"):
            got = function(DTYPES["f64"], t, numbers)
        want = np.array([exact(v, name, finite) for v in numbers.tolist()]).astype(t.numpy)
        assert_same(got, want)
    halves = ALL16.view(np.float16)
    with np.errstate(all="ignore"):
        assert_same(convert(DTYPES["f16"], t, halves), halves.astype(t.numpy))
        singles = convert(t, DTYPES["f32"], ALL8.view(t.numpy))
        assert_same(singles, ALL8.view(t.numpy).astype(np.float32))
        assert_same(convert(DTYPES["f32"], t, singles), ALL8.view(t.numpy))


def maps(source: str, targets: list[tuple[str, str]]) -> str:
    """A kernel that converts an array by each instruction to each type."""
    ir = DTYPES[source].ir
    outs = ", ".join(f"%y{n}" for n in range(len(targets)))
    types = ", ".join(f"memref<?x{DTYPES[t].ir}>" for _, t in targets)
    heads = ", ".join(f"%y{n}: memref<?x{DTYPES[t].ir}>" for n, (_, t) in enumerate(targets))
    lines = "\n".join(f"  %r{n} = atlas.{op} {source} to {t} %v" for n, (op, t) in enumerate(targets))
    results = ", ".join(f"%r{n}" for n in range(len(targets)))
    one = "affine_map<(d0) -> (d0)>"
    return f"""func.func @main(%x: memref<?x{ir}>, {heads}) {{
  atlas.map ins(%x : memref<?x{ir}>) outs({outs} : {types}) maps [{", ".join([one] * (len(targets) + 1))}] {{
  ^bb0(%v: {ir}):
{lines}
  atlas.yield {results} : {", ".join(str(DTYPES[t].ir) for _, t in targets)}
  }}
  func.return
}}"""


def check(source: str, values: Array, targets: list[tuple[str, str]]) -> None:
    """The compiled conversions against the reference function."""
    held = storage(values, DTYPES[source])
    outs = [np.zeros(len(values), DTYPES[t].numpy) for _, t in targets]
    given = [np.ascontiguousarray(storage(y, DTYPES[t])) for y, (_, t) in zip(outs, targets, strict=True)]
    hologram.compile(maps(source, targets), opt_level=1)(held, *given)
    for got, (op, target) in zip(given, targets, strict=True):
        function = convert if op == "cvt" else convert_finite
        with np.errstate(all="ignore"):
            want = function(DTYPES[source], DTYPES[target], view(held, DTYPES[source]))
        assert_same(got, storage(np.asarray(want), DTYPES[target]))


TO8 = [(op, name) for name in NAMES for op in ("cvt", "cvt.satfinite")]


@pytest.mark.parametrize("name", NAMES)
def test_from_every_value(name: str):
    targets = [("cvt", t) for t in (*OTHERS, *NAMES)] + [("cvt.satfinite", t) for t in ("f16", "f32", "f64", *NAMES)]
    check(name, ALL8.view(DTYPES[name].numpy), targets)


@pytest.mark.parametrize("source", ["f16", "bf16"])
def test_from_all_of_16_bits(source: str):
    numbers = ALL16.view(DTYPES[source].numpy)
    check(source, numbers, [*TO8, ("cvt.satfinite", "f16"), ("cvt.satfinite", "bf16")])


@pytest.mark.parametrize("source", ["f32", "f64"])
def test_from_ties(source: str):
    with np.errstate(over="ignore"):
        numbers = hard_numbers().astype(source.replace("f", "float"))
    check(source, numbers, [*TO8, ("cvt.satfinite", "f16"), ("cvt.satfinite", "f32"), ("cvt.satfinite", "f64")])


@pytest.mark.parametrize("source", ["i8", "u16", "i32", "u64", "bool"])
def test_from_integers(source: str):
    t = DTYPES[source]
    rng = np.random.default_rng(1)
    if source == "bool":
        numbers: Array = np.array([False, True])
    else:
        edges = [0, 1, 15, 17, 18, 19, 20, 447, 448, 464, 465, 61439, 61440, 65519, 65520, 1 << 17]
        ends = [t.least, t.greatest, *edges, *(-e for e in edges)]
        drawn: Array = rng.integers(int(t.least), int(t.greatest), 300, t.numpy, endpoint=True)  # pyright: ignore
        known: Array = np.array([v for v in ends if t.least <= v <= t.greatest], t.numpy)
        numbers = np.append(known, drawn)
    check(source, numbers, [*TO8, ("cvt.satfinite", "f16"), ("cvt.satfinite", "f32")])


PROGRAM = """
func.func @main(%x: memref<?xf8E4M3FN>, %y: memref<?xf8E5M2>, %k: f8E5M2) {
  %one = arith.constant 1 : index
  atlas.launch @p grid(%one, %one, %one)
    args(%x, %y, %k : memref<?xf8E4M3FN>, memref<?xf8E5M2>, f8E5M2)
  func.return
}
atlas.func @twice(%p: !atlas.ptr<f8E4M3FN, global>) -> (f8E4M3FN) {
  %v = atlas.ldg f8E4M3FN %p[] : !atlas.ptr<f8E4M3FN, global>
  %w = atlas.cvt f8E4M3FN to f32 %v
  %s = atlas.add f32 %w, %w
  %r = atlas.cvt.satfinite f32 to f8E4M3FN %s
  atlas.ret %r : f8E4M3FN
}
atlas.program @p(%x: memref<?xf8E4M3FN>, %y: memref<?xf8E5M2>, %k: f8E5M2) block [4, 1, 1] {
  %i = atlas.special gid : i64
  %s = atlas.alloca : memref<4xf8E4M3FN, #atlas.space<shared>>
  %l = atlas.alloca : memref<2x2xf8E5M2, #atlas.space<local>>
  %four = atlas.mov_imm 4 : i64
  %at = atlas.mul i64 %i, %four
  %p = atlas.lea f8E4M3FN %x[%at : i64] : memref<?xf8E4M3FN>
  %v = atlas.call @twice(%p) : (!atlas.ptr<f8E4M3FN, global>) -> (f8E4M3FN)
  atlas.sts f8E4M3FN %v, %s[%i : i64] : memref<4xf8E4M3FN, #atlas.space<shared>>
  atlas.bar.sync 0
  %three = atlas.mov_imm 3 : i64
  %j = atlas.sub i64 %three, %i
  %w = atlas.lds f8E4M3FN %s[%j : i64] : memref<4xf8E4M3FN, #atlas.space<shared>>
  %c = atlas.mov_imm 0.4375 : f8E4M3FN
  %bits = atlas.cvt.bits f8E4M3FN to u8 %c
  %e = atlas.cvt.bits u8 to f8E5M2 %bits
  %one = atlas.mov_imm 1 : i64
  atlas.stl f8E5M2 %e, %l[%one, %one : i64, i64] : memref<2x2xf8E5M2, #atlas.space<local>>
  %f = atlas.ldl f8E5M2 %l[%one, %one : i64, i64] : memref<2x2xf8E5M2, #atlas.space<local>>
  %q = atlas.setcc lt u64 %i, %three
  %g = atlas.sel f8E5M2 %q, %f, %k
  %h = atlas.if %q -> (f8E5M2) {
    %n = atlas.mov f8E5M2 %g
    atlas.yield %n : f8E5M2
  } else {
    atlas.yield %k : f8E5M2
  }
  atlas.stg f8E4M3FN %w, %x[%at : i64] : memref<?xf8E4M3FN>
  atlas.stg v2 f8E5M2 %h, %k, %y[%at : i64] : memref<?xf8E5M2>
}"""


def test_lane_programs():
    """Every kind of memory, values between functions and regions, arguments of numpy's and a scalar."""
    x = ALL8[1:17].view(ml_dtypes.float8_e4m3fn)
    k = ml_dtypes.float8_e5m2(1.25)
    mine, theirs = ([x.copy(), np.zeros(16, ml_dtypes.float8_e5m2)] for _ in range(2))
    interpret(parse_module(PROGRAM, "p.mlir", make_context()), "main", [*mine, k])
    hologram.compile(PROGRAM, opt_level=1)(*theirs, k)
    for a, b in zip(mine, theirs, strict=True):
        assert_same(b, a)
    doubled = (2 * x[::4][::-1].astype(np.float32)).astype(ml_dtypes.float8_e4m3fn)
    assert_same(theirs[0][::4].copy(), doubled)
    pattern = np.array([0.4375]).astype(ml_dtypes.float8_e4m3fn).view(ml_dtypes.float8_e5m2)[0]
    assert theirs[1][::4].tolist() == [pattern] * 3 + [k]
    assert theirs[1][1::4].tolist() == [k] * 4


def test_assembly():
    text = """.program p(buf0: f8E4M3FN[?], buf1: f8E5M2[?]) {
  .launch grid(1, 1, 1) block(1, 1, 1)
  ldg.f8E4M3FN r0, [buf0]
  cvt.f32.f8E4M3FN r1, r0
  cvt.satfinite.f8e5m2.f32 r2, r1
  stg.F8E5M2 [buf1], r2
  mov_imm.f8E5M2 r3, 1.75
  stg.f8E5M2 [buf1 + 1], r3
}
"""
    listed = isa.disassemble(isa.assemble(text))
    assert "cvt.satfinite.f8E5M2.f32 r2, r1" in listed
    assert isa.disassemble(isa.decode(isa.encode(isa.assemble(listed)))) == listed
    y = np.zeros(2, ml_dtypes.float8_e5m2)
    hologram.compile(text)(np.array([448], ml_dtypes.float8_e4m3fn), y)
    assert y.tolist() == [448, 1.75]


@pytest.mark.parametrize("name", NAMES)
def test_mixed_precision_gemm(name: str):
    rng = np.random.default_rng(2)
    a, b = (rng.integers(-8, 9, shape).astype(DTYPES[name].numpy) for shape in ((5, 33), (33, 7)))
    matrix = f"memref<?x?x{name}>"
    text = f"""func.func @main(%a: {matrix}, %b: {matrix}, %c: memref<?x?xf32>) {{
  atlas.mixed_precision_gemm ins(%a, %b : {matrix}, {matrix}) outs(%c : memref<?x?xf32>)
  func.return
}}"""
    kernel = hologram.compile(text, opt_level=1)
    c = np.zeros((5, 7), np.float32)
    kernel(a, b, c)
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


def test_tensors():
    """The tensor level converts and selects."""
    kernel = hologram.compile("""func.func @main(%x: tensor<?xf32>) -> tensor<?xf8E4M3FN> {
  %y = hologram.cast %x : tensor<?xf32> to tensor<?xf8E4M3FN>
  func.return %y : tensor<?xf8E4M3FN>
}""", opt_level=1)  # fmt: skip
    found = kernel(np.array([0.3, -500, 7], np.float32))
    assert_same(found, np.array([0.3, np.nan, 7]).astype(ml_dtypes.float8_e4m3fn))
