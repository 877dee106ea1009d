"""The software fma has the bits of the processor's, on all kinds of operands."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hologram
from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.lowering.arithmetic.expand_fma import ExpandFmaPass

Array = NDArray[Any]

SCALAR = """
func.func @main(%a: memref<?xT>, %b: memref<?xT>, %c: memref<?xT>, %r: memref<?xT>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xT>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xT>
    %y = memref.load %b[%i] : memref<?xT>
    %z = memref.load %c[%i] : memref<?xT>
    %f = math.fma %x, %y, %z : T
    memref.store %f, %r[%i] : memref<?xT>
  }
  func.return
}
"""
VECTOR = """
func.func @main(%a: memref<?xT>, %b: memref<?xT>, %c: memref<?xT>, %r: memref<?xT>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %a, %c0 : memref<?xT>
  scf.for %i = %c0 to %n step %c4 {
    %x = vector.load %a[%i] : memref<?xT>, vector<4xT>
    %y = vector.load %b[%i] : memref<?xT>, vector<4xT>
    %z = vector.load %c[%i] : memref<?xT>, vector<4xT>
    %f = vector.fma %x, %y, %z : vector<4xT>
    vector.store %f, %r[%i] : memref<?xT>, vector<4xT>
  }
  func.return
}
"""


def operands(dtype: type[Any], word: type[Any]) -> list[Array]:
    """All triples of edge values, random bits, and products that the summand nearly cancels."""
    random = np.random.default_rng(5)
    info = np.finfo(dtype)
    one = dtype(1)
    edge = [
        0.0, one, one + info.eps, one - info.epsneg, 1.5, info.max, info.tiny, info.smallest_subnormal,
        info.tiny - info.smallest_subnormal, dtype(2) ** (info.minexp // 2), dtype(2) ** (info.maxexp // 2), np.inf,
        np.nan,
    ]  # fmt: skip
    triples = np.array(list(product([s * dtype(v) for v in edge for s in (1, -1)], repeat=3)), dtype).T
    count = 40_000
    bits = random.integers(0, 1 << 63, (3, count), np.uint64).astype(word) if word is np.uint32 else None
    drawn = (random.integers(0, 1 << 64, (3, count), np.uint64) if bits is None else bits).view(dtype)
    near = random.standard_normal((3, count)).astype(dtype)
    with np.errstate(all="ignore"):
        scale = np.ldexp(dtype(1), random.integers(info.minexp - info.nmant, info.maxexp, count)).astype(dtype)
        near[0] *= scale
        near[2] = -near[0] * near[1] * (1 + info.eps * random.integers(-2, 3, count)).astype(dtype)
        far = np.ldexp(random.standard_normal((3, count)), random.integers(-70, 70, (3, count))).astype(dtype)
    found = np.concatenate([triples, drawn, near, far], axis=1)
    return [np.ascontiguousarray(row[: found.shape[1] // 4 * 4]) for row in found]


@pytest.mark.parametrize("text", [SCALAR, VECTOR], ids=["scalar", "vector"])
@pytest.mark.parametrize(("type", "dtype", "word"), [("f32", np.float32, np.uint32), ("f64", np.float64, np.uint64)])
def test_bits_of_the_processor(text: str, type: str, dtype: type[Any], word: type[Any]):
    if text == VECTOR and type == "f64":
        text = VECTOR.replace("4xT", "2xT").replace("constant 4", "constant 2")
    context = make_context()
    given = parse_module(text.replace("T", type), "fma.mlir", context)
    expanded = given.clone()
    ExpandFmaPass().apply(context, expanded)
    assert not [op for op in expanded.walk() if op.name in ("math.fma", "vector.fma")]
    a, b, c = operands(dtype, word)
    expected, found = np.zeros_like(a), np.zeros_like(a)
    hologram.compile(given)(a, b, c, expected)
    hologram.compile(expanded)(a, b, c, found)
    differs = (expected.view(word) != found.view(word)) & ~(np.isnan(expected) & np.isnan(found))
    at = int(differs.argmax())
    assert not differs.any(), (differs.sum(), a[at], b[at], c[at], expected[at], found[at])


HALF = """
func.func @main(%a: memref<?xi16>, %r: memref<?xi16>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<?xi16>
  %h = arith.bitcast %x : i16 to f16
  %f = math.fma %h, %h, %h : f16
  %y = arith.bitcast %f : f16 to i16
  memref.store %y, %r[%c0] : memref<?xi16>
  func.return
}
"""


@pytest.mark.parametrize("value", [1.5, -65504.0, 6e-8, 0.1])
def test_half(value: float):
    context = make_context()
    module = parse_module(HALF, "half.mlir", context)
    ExpandFmaPass().apply(context, module)
    given, found = np.array([value], np.float16), np.zeros(1, np.float16)
    hologram.compile(module)(given.view(np.int16), found.view(np.int16))
    exact = float(given[0]) ** 2 + float(given[0])
    with np.errstate(over="ignore"):
        assert found[0] == np.float16(exact)
