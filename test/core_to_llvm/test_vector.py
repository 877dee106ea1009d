"""vector operations against numpy, in one walk and pass by pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from core_to_llvm.jit import LOWER, SINGLY, Compiled, lower

PASSES = pytest.mark.parametrize("passes", [LOWER, SINGLY], ids=["merged", "singly"])
PRELUDE = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
"""

REDUCTIONS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "add_i": ("i32", lambda a: a.sum(dtype=np.int32)),
    "mul_i": ("i32", lambda a: a.prod(dtype=np.int32)),
    "minsi": ("i32", np.min),
    "maxsi": ("i32", np.max),
    "minui": ("i32", lambda a: a.view(np.uint32).min().view(np.int32)),
    "maxui": ("i32", lambda a: a.view(np.uint32).max().view(np.int32)),
    "and": ("i32", np.bitwise_and.reduce),
    "or": ("i32", np.bitwise_or.reduce),
    "xor": ("i32", np.bitwise_xor.reduce),
    "add_f": ("f32", lambda a: in_order(a, np.add)),
    "mul_f": ("f32", lambda a: in_order(a, np.multiply)),
    "minnumf": ("f32", np.min),
    "maxnumf": ("f32", np.max),
    "minimumf": ("f32", np.min),
    "maximumf": ("f32", np.max),
}


def in_order(a: Any, combine: Any) -> Any:
    total = a[0]
    for x in a[1:]:
        total = combine(total, x)
    return total


@PASSES
def test_reductions(passes: Sequence[str]):
    """Float sums go from the first element to the last; with and without a value to start with."""
    text = ""
    for name, (t, _) in REDUCTIONS.items():
        kind = name.split("_")[0]
        text += f"""
func.func @{name}(%a: memref<8x{t}>, %out: memref<2x{t}>) {{{PRELUDE}
  %v = vector.load %a[%c0] : memref<8x{t}>, vector<8x{t}>
  %first = memref.load %a[%c0] : memref<8x{t}>
  %r = vector.reduction <{kind}>, %v : vector<8x{t}> into {t}
  %s = vector.reduction <{kind}>, %v, %first : vector<8x{t}> into {t}
  memref.store %r, %out[%c0] : memref<2x{t}>
  memref.store %s, %out[%c1] : memref<2x{t}>
  func.return
}}"""
    compiled = Compiled(text, passes)
    random = np.random.default_rng(0)
    for name, (t, meaning) in REDUCTIONS.items():
        dtype = np.int32 if t == "i32" else np.float32
        a = (random.standard_normal(8) * 1e3).astype(dtype)
        out = np.zeros(2, dtype)
        compiled.call(name, a, out)
        assert out[0] == meaning(a), name
        assert out[1] == meaning(np.concatenate([a[:1], a]).astype(dtype)), name


def test_sum_of_negative_zeros_is_negative():
    text = f"""
func.func @f(%a: memref<4xf32>) {{{PRELUDE}
  %v = vector.load %a[%c0] : memref<4xf32>, vector<4xf32>
  %r = vector.reduction <add>, %v : vector<4xf32> into f32
  memref.store %r, %a[%c0] : memref<4xf32>
  func.return
}}"""
    a = np.full(4, -0.0, np.float32)
    Compiled(text).call("f", a)
    assert np.signbit(a[0])


@PASSES
def test_elements(passes: Sequence[str]):
    text = f"""
func.func @f(%a: memref<4xf32>, %k: index, %x: f32, %out: memref<6x4xf32>) {{{PRELUDE}
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %v = vector.load %a[%c0] : memref<4xf32>, vector<4xf32>
  %e = vector.extract %v[%k] : f32 from vector<4xf32>
  %f = vector.extract %v[1] : f32 from vector<4xf32>
  %i = vector.insert %e, %v [0] : f32 into vector<4xf32>
  %j = vector.insert %f, %i [%k] : f32 into vector<4xf32>
  vector.store %j, %out[%c0, %c0] : memref<6x4xf32>, vector<4xf32>
  %b = vector.broadcast %x : f32 to vector<4xf32>
  %m = vector.fma %v, %b, %v : vector<4xf32>
  vector.store %m, %out[%c1, %c0] : memref<6x4xf32>, vector<4xf32>
  %s = "vector.shuffle"(%v, %b) <{{mask = array<i64: 3, 4, 0, 7>}}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  vector.store %s, %out[%c2, %c0] : memref<6x4xf32>, vector<4xf32>
  %h = "vector.shuffle"(%v, %v) <{{mask = array<i64: 2, 1>}}> : (vector<4xf32>, vector<4xf32>) -> vector<2xf32>
  %w = "vector.shuffle"(%h, %v) <{{mask = array<i64: 5, 0, 1, 2>}}> : (vector<2xf32>, vector<4xf32>) -> vector<4xf32>
  vector.store %w, %out[%c3, %c0] : memref<6x4xf32>, vector<4xf32>
  %step = vector.step : vector<4xindex>
  %si = arith.index_cast %step : vector<4xindex> to vector<4xi32>
  %sf = arith.sitofp %si : vector<4xi32> to vector<4xf32>
  vector.store %sf, %out[%c4, %c0] : memref<6x4xf32>, vector<4xf32>
  func.return
}}"""
    a, out = np.array([1, 2, 3, 4], np.float32), np.zeros((6, 4), np.float32)
    import ctypes

    Compiled(text, passes).call("f", a, out, 2, ctypes.c_float(10))
    assert out[0].tolist() == [3, 2, 2, 4]
    assert out[1].tolist() == [11, 22, 33, 44]
    assert out[2].tolist() == [4, 10, 1, 10]
    assert out[3].tolist() == [4, 3, 2, 1]
    assert out[4].tolist() == [0, 1, 2, 3]


@PASSES
def test_masks(passes: Sequence[str]):
    """A mask takes any count, also negative or beyond 32 bits; memory beyond the mask is not touched."""
    text = f"""
func.func @f(%a: memref<?xf32>, %n: index, %out: memref<?xf32>, %set: memref<8xi1>) {{{PRELUDE}
  %c9 = arith.constant 9.0 : f32
  %other = vector.broadcast %c9 : f32 to vector<8xf32>
  %mask = vector.create_mask %n : vector<8xi1>
  vector.store %mask, %set[%c0] : memref<8xi1>, vector<8xi1>
  %v = vector.maskedload %a[%c0], %mask, %other : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.store %v, %out[%c0] : memref<?xf32>, vector<8xf32>
  %b = vector.load %set[%c0] : memref<8xi1>, vector<8xi1>
  vector.maskedstore %a[%c0], %b, %other : memref<?xf32>, vector<8xi1>, vector<8xf32>
  func.return
}}"""
    compiled = Compiled(text, passes)
    for n in (-(1 << 40), -1, 0, 3, 8, 9, 1 << 32, (1 << 32) + 2):
        kept = min(max(n, 0), 8)
        a, out, set = np.arange(8, dtype=np.float32), np.zeros(8, np.float32), np.full(8, 7, np.uint8)
        compiled.call("f", a, out, set, 8, 8, n)
        assert set.tolist() == [1] * kept + [0] * (8 - kept)
        assert out.tolist() == [*range(kept)] + [9] * (8 - kept)
        assert a.tolist() == [9] * kept + [*range(kept, 8)]


@PASSES
def test_transfers(passes: Sequence[str]):
    """Along the last dimension; lanes outside the memref get the padding and are not written."""
    text = f"""
func.func @f(%a: memref<?x?xf32>, %i: index, %j: index, %out: memref<?x?xf32>) {{{PRELUDE}
  %pad = arith.constant -1.0 : f32
  %v = "vector.transfer_read"(%a, %i, %j, %pad) <{{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 0>,
      permutation_map = affine_map<(d0, d1) -> (d1)>}}> : (memref<?x?xf32>, index, index, f32) -> vector<4xf32>
  "vector.transfer_write"(%v, %out, %i, %j) <{{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 2, 0>,
      permutation_map = affine_map<(d0, d1) -> (d1)>}}> : (vector<4xf32>, memref<?x?xf32>, index, index) -> ()
  "vector.transfer_write"(%v, %out, %c0, %c0) <{{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 2, 0>,
      permutation_map = affine_map<(d0, d1) -> (d1)>}}> : (vector<4xf32>, memref<?x?xf32>, index, index) -> ()
  func.return
}}"""
    a, out = np.arange(18, dtype=np.float32).reshape(3, 6), np.zeros((3, 6), np.float32)
    Compiled(text, passes).call("f", a, out, 3, 6, 3, 6, 1, 4)
    assert out[1].tolist() == [0, 0, 0, 0, 10, 11]
    assert out[0].tolist() == [10, 11, -1, -1, 0, 0]


@PASSES
def test_gather_and_scatter(passes: Sequence[str]):
    text = f"""
func.func @f(%a: memref<?xi32, strided<[?]>>, %at: memref<4xindex>, %out: memref<?xi32>) {{{PRELUDE}
  %i = vector.load %at[%c0] : memref<4xindex>, vector<4xindex>
  %three = arith.constant 3 : index
  %mask = vector.create_mask %three : vector<4xi1>
  %seven = arith.constant dense<7> : vector<4xi32>
  %v = vector.gather %a[%c1] [%i], %mask, %seven
      : memref<?xi32, strided<[?]>>, vector<4xindex>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  vector.scatter %out[%c0] [%i], %mask, %v : memref<?xi32>, vector<4xindex>, vector<4xi1>, vector<4xi32>
  vector.store %v, %out[%three] : memref<?xi32>, vector<4xi32>
  func.return
}}"""
    a, at, out = np.arange(20, dtype=np.int32), np.array([2, 0, 1, 99]), np.zeros(8, np.int32)
    Compiled(text, passes).call("f", a, at, out, 5, 3, 8)
    assert out.tolist() == [3, 6, 9, 9, 3, 6, 7, 0]


@PASSES
def test_bitcast_and_scalar_like_vectors(passes: Sequence[str]):
    text = f"""
func.func @f(%a: memref<4xf32>, %out: memref<8xi16>) {{{PRELUDE}
  %v = vector.load %a[%c0] : memref<4xf32>, vector<4xf32>
  %w = vector.bitcast %v : vector<4xf32> to vector<8xi16>
  vector.store %w, %out[%c0] : memref<8xi16>, vector<8xi16>
  %one = vector.broadcast %c1 : index to vector<1xindex>
  %wide = vector.broadcast %one : vector<1xindex> to vector<4xindex>
  %e = vector.extract %wide[3] : index from vector<4xindex>
  %i = arith.index_cast %e : index to i16
  memref.store %i, %out[%e] : memref<8xi16>
  func.return
}}"""
    a, out = np.array([1.5, -2, 0, 7], np.float32), np.zeros(8, np.int16)
    Compiled(text, passes).call("f", a, out)
    wanted = a.view(np.int16).copy()
    wanted[1] = 1
    assert out.tolist() == wanted.tolist()


def test_unaligned_access():
    """A vector in memory is aligned as its elements are."""
    text = f"""
func.func @f(%a: memref<?xf64>, %k: index) {{{PRELUDE}
  %v = vector.load %a[%k] : memref<?xf64>, vector<8xf64>
  vector.store %v, %a[%c0] : memref<?xf64>, vector<8xf64>
  func.return
}}"""
    a = np.arange(10, dtype=np.float64)
    Compiled(text).call("f", a, 10, 1)
    assert a.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 8, 9]
    loads = [op for op in lower(text).walk() if op.name == "llvm.load"]
    assert str(loads[0].properties["alignment"]) == "8 : i64"


@PASSES
def test_elements_make_a_vector_and_loads_promise_an_alignment(passes: Sequence[str]):
    text = f"""
func.func @f(%a: memref<8xf32>, %out: memref<4xf32>) {{{PRELUDE}
  %v = vector.load %a[%c0] {{alignment = 4 : i64}} : memref<8xf32>, vector<4xf32>
  %x = vector.extract %v[3] : f32 from vector<4xf32>
  %y = vector.extract %v[0] : f32 from vector<4xf32>
  %w = vector.from_elements %x, %y, %y, %x : vector<4xf32>
  vector.store %w, %out[%c0] : memref<4xf32>, vector<4xf32>
  func.return
}}"""
    a, out = np.arange(8, dtype=np.float32), np.zeros(4, np.float32)
    Compiled(text, passes).call("f", a, out)
    assert out.tolist() == [3, 0, 0, 3]
