"""expand-math: forms, special values, instructions. Bounds are in test_dense.py."""

from __future__ import annotations

import platform
import re

import numpy as np
import pytest
from xdsl.parser import Parser

from hologram.dialects import make_context
from hologram.lowering.arithmetic.expand_math import ExpandMathPass
from hologram.support.host_target import host_target
from math_expansions.jit import Array, assembly, compiled, expanded


@pytest.mark.parametrize("type", ["f32", "f64"])
def test_special_values_of_exp(type: str):
    dtype = np.float32 if type == "f32" else np.float64
    info = np.finfo(dtype)
    f, f2 = compiled("math.exp", type), compiled("math.exp2", type)
    x = np.array([0, -0.0, np.inf, -np.inf, np.nan, info.max, -info.max, info.smallest_subnormal], dtype)
    for g in (f, f2):
        np.testing.assert_array_equal(g(x), np.array([1, 1, np.inf, 0, np.nan, np.inf, 0, 1], dtype))
        assert not np.signbit(g(x)[[3, 6]]).any()
    powers = np.arange(info.minexp - info.nmant - 3, info.maxexp + 2).astype(dtype)
    with np.errstate(over="ignore", under="ignore"):
        np.testing.assert_array_equal(f2(powers), np.exp2(powers.astype(np.longdouble)).astype(dtype))


def test_f32_overflow_and_underflow_of_exp():
    f = compiled("math.exp", "f32")
    edge = np.float32(88.72283172607422)
    x = np.array([edge, np.nextafter(edge, np.float32(100)), -103.972076, -103.97209, -87.5, -100], np.float32)
    with np.errstate(all="ignore"):
        expected = np.exp(x.astype(np.float64)).astype(np.float32)
    result = f(x)
    assert np.isfinite(result[0])
    assert np.isinf(result[1])
    assert result[2] == np.finfo(np.float32).smallest_subnormal
    np.testing.assert_allclose(result, expected, rtol=0, atol=float(np.finfo(np.float32).smallest_subnormal))


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the assembly is of x86")
@pytest.mark.parametrize(("cpu", "register"), [("haswell", "ymm"), ("znver4", "zmm")])
def test_f32_loop_vectorises(cpu: str, register: str):
    text = assembly("math.exp", "f32", cpu)
    text = text[text.index("\nf:") : text.index(".Lfunc_end")]
    assert len(re.findall(rf"vfn?madd\w*ps\s.*%{register}", text)) >= 6
    assert re.search(rf"vm(?:ax|in)ps\s.*%{register}", text)
    assert "call" not in text
    assert ("vscalefps" in text) == (register == "zmm")


@pytest.mark.skipif(not host_target().wide_vectors, reason="elsewhere llvm.ldexp calls a library")
@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize("op", ["math.exp", "math.exp2"])
def test_an_instruction_that_scales_gives_the_same_bits(op: str, type: str):
    generator = np.random.default_rng(5)
    limit = 110.0 if type == "f32" else 760.0
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, limit * 1e30, -limit * 1e30]
    x = np.concatenate([generator.uniform(-limit, limit, 200_000), np.linspace(-1.1 * limit, limit, 9001), special])
    found = [compiled(op, type, width=width)(x) for width in (16, 64)]
    assert found[0].tobytes() == found[1].tobytes()


VECTORS = """
func.func @f(%x: vector<8xf32>, %y: f32, %z: vector<2x4xf16>) -> (vector<8xf32>, f32, vector<2x4xf16>) {
  %a = math.exp %x : vector<8xf32>
  %b = math.sqrt %y : f32
  %c = math.exp %z : vector<2x4xf16>
  func.return %a, %b, %c : vector<8xf32>, f32, vector<2x4xf16>
}
"""


def test_vectors_expand_like_scalars_and_sqrt_stays():
    module = Parser(make_context(), VECTORS).parse_module()
    ExpandMathPass().apply(make_context(), module)
    module.verify()
    names = [op.name for op in module.walk()]
    assert "math.exp" not in names
    assert "math.sqrt" in names
    scalar = [op.name for op in expanded("exp", "f32").walk()]
    assert [n for n in names if n != "math.sqrt"].count("math.fma") == 2 * scalar.count("math.fma")
    assert "vector<2x4xi32>" in str(module)


def test_locations_are_kept():
    text = 'func.func @f(%x: f32) -> f32 {\n  %y = math.exp %x : f32 loc("k.mlir":5:7)\n  func.return %y : f32\n}'
    module = Parser(make_context(), text).parse_module()
    ExpandMathPass().apply(make_context(), module)
    where = {str(op.location) for op in module.walk() if op.name.startswith(("arith.", "math."))}
    assert where == {'loc("k.mlir":5:7)'}


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("type", ["f32", "f64"])
def test_results_that_are_numbers_of_the_format_are_exact(type: str, fused: bool):
    dtype = np.float32 if type == "f32" else np.float64
    info = np.finfo(dtype)
    whole = np.arange(info.minexp - info.nmant, info.maxexp).astype(dtype)
    powers = np.ldexp(dtype(1), whole.astype(np.int32))

    def run(name: str, *operands: Array) -> Array:
        return compiled(name, type, operands=len(operands), fused=fused)(*operands)

    np.testing.assert_array_equal(run("math.exp2", whole), powers)
    np.testing.assert_array_equal(run("math.log2", powers), whole)
    np.testing.assert_array_equal(run("math.powf", np.full_like(whole, 2), whole), powers)
    decades = np.arange(11 if type == "f32" else 23).astype(dtype)
    np.testing.assert_array_equal(run("math.log10", np.power(dtype(10), decades)), decades)
    bases, exponents = (a.ravel().astype(dtype) for a in np.meshgrid(np.arange(-9, 10), np.arange(0, 7)))
    np.testing.assert_array_equal(run("math.powf", bases, exponents), bases**exponents)
    for name in ("math.log", "math.log2", "math.log10"):
        assert run(name, np.ones(1, dtype))[0] == 0
    squares = np.arange(1, 100).astype(dtype) ** 2
    np.testing.assert_array_equal(run("math.powf", squares, np.full_like(squares, 0.5)), np.sqrt(squares))
