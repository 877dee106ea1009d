"""Tables of coefficients: where they come from, and the same bits however they are looked up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from hologram.lowering.arithmetic.expansions import error_function, exponential, hyperbolic
from hologram.support.host_target import host_target
from math_expansions.intervals import FITS, coefficients, words
from math_expansions.jit import compiled, program
from stages import run_passes
from vectors.programs import bits, samples

TABLES = {"tanh": hyperbolic.TANH_F32, "gelu": error_function.GELU_F32, "erf": error_function.ERF_F32}
OPS = {"tanh": "math.tanh", "gelu": "gelu", "erf": "math.erf", "exp": "math.exp"}


def test_every_table_is_fitted():
    assert set(TABLES) == set(FITS)


def test_the_powers_of_two_are_the_nearest_floats():
    (row,) = exponential.POWERS.rows
    assert row == tuple(float(np.float32(2.0 ** (k / 16))) for k in range(16))


@pytest.mark.parametrize("name", TABLES)
def test_the_tables_are_those_of_the_fits(name: str):
    fit, rows = FITS[name], TABLES[name].rows
    for interval, column in zip(fit.intervals, zip(*rows, strict=True), strict=True):
        assert words(coefficients(fit, interval)) == words(column)


@pytest.mark.parametrize("width", [16, 32, 64])
@pytest.mark.parametrize("name", OPS)
def test_bits_are_the_same_however_tables_are_looked_up(name: str, width: int):
    if width > 16 and (host_target().vector_bytes < width or not host_target().triple.startswith("x86_64")):
        pytest.skip(f"this processor has no permutations of registers of {width} bytes")
    ends = np.array([0.0, np.inf, np.nan, 1e-45, 0.125, 5.4375, 5.625, 9.02, 3e38], np.float32)
    x = np.concatenate([ends, -ends, samples("f32", 2000), np.linspace(-10, 10, 4001, dtype=np.float32)])
    expected = bits(compiled(OPS[name], "f32", lanes=1)(x))
    for lanes in (4, 8, 16, 64):
        assert bits(compiled(OPS[name], "f32", lanes=lanes, width=width)(x)) == expected, lanes


def test_no_lane_loads_where_a_register_holds_the_table():
    for width, lanes, left in ((64, 16, 0), (64, 32, 0), (32, 8, 0), (32, 4, 8), (16, 16, 8)):
        module = program("math.tanh", "f32", 1, lanes, True)
        run_passes(module, f"expand-math,permute-tables{{vector-bytes={width}}}")
        assert sum(op.name == "vector.gather" for op in module.walk()) == left, (width, lanes)


BOTH = """
func.func private @gelu_f32(%x: i32) -> i32 {
  func.return %x : i32
}
func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %first = memref.load %x[%c0] : memref<?xf32>
  %g = atlas.gelu f32 %first
  memref.store %g, %x[%c0] : memref<?xf32>
  atlas.launch @lanes grid(%n, %one, %one) args(%x, %y : memref<?xf32>, memref<?xf32>)
  func.return
}
atlas.program @lanes(%x: memref<?xf32>, %y: memref<?xf32>) block [1, 1, 1] {
  %i = atlas.special gid : i64
  %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
  %g = atlas.gelu f32 %v
  atlas.stg f32 %g, %y[%i : i64] : memref<?xf32>
}
"""


def test_a_lane_program_and_a_function_have_tables_of_their_own():
    x = np.linspace(-6, 6, 100, dtype=np.float32)
    y = np.zeros_like(x)
    expected: Any = compiled("gelu", "f32", lanes=1)(x)
    expected[0] = compiled("gelu", "f32", lanes=1)(expected[:1])[0]
    hologram.compile(BOTH, entry="main")(x.copy(), y)
    assert bits(y) == bits(expected)
