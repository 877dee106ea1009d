"""expand-math: the expansions keep their bounds over the whole range, give special values, and vectorise."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects import math
from xdsl.parser import Parser

from hologram.dialects import make_context
from hologram.lowering.expand_math import ExpandMathPass
from hologram.lowering.expansions import FMA_EXPANSIONS
from math_expansions.jit import assembly, compiled, expanded, llvm_ir

Array = np.ndarray[Any, Any]
REFERENCES: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp,
    "exp2": np.exp2,
    "rsqrt": lambda x: 1 / np.sqrt(x),
}
OPS = {"exp": math.ExpOp, "exp2": math.Exp2Op, "rsqrt": math.RsqrtOp}


def errors(got: Array, exact: Array) -> Array:
    """The errors of f32 results in units in the last place of the exact one (subnormal places count as they are)."""
    with np.errstate(all="ignore"):
        rounded = exact.astype(np.float32)
        magnitude = np.where(np.isfinite(exact) & (exact != 0), np.abs(exact), 1)
        place = np.exp2(np.clip(np.floor(np.log2(magnitude)), -126, 127) - 23)
        error = np.abs(got.astype(np.float64) - exact) / place
    same = (np.isnan(got) & np.isnan(exact)) | (np.isinf(rounded) & (got == rounded))
    return np.where(same, 0, error)


@pytest.mark.parametrize("name", REFERENCES)
def test_f32_bound_over_all_exponents(name: str):
    """Every 211th float, of both signs; rows of the table were checked with all 2**32 once."""
    f = compiled(name, "f32")
    worst = 0.0
    for start in range(0, 2**32, 2**28):
        x = np.arange(start + 7, start + 2**28, 211, dtype=np.int64).astype(np.uint32).view(np.float32)
        with np.errstate(all="ignore"):
            found = errors(f(x), REFERENCES[name](x.astype(np.float64)))
        assert not np.isnan(found).any()
        worst = max(worst, float(found.max()))
    assert worst <= FMA_EXPANSIONS[OPS[name]].ulp["f32"]


@pytest.mark.parametrize("type", ["f32", "f64"])
def test_special_values_of_exp(type: str):
    dtype = np.float32 if type == "f32" else np.float64
    info = np.finfo(dtype)
    f, f2 = compiled("exp", type), compiled("exp2", type)
    x = np.array([0, -0.0, np.inf, -np.inf, np.nan, info.max, -info.max, info.smallest_subnormal], dtype)
    for g in (f, f2):
        np.testing.assert_array_equal(g(x), np.array([1, 1, np.inf, 0, np.nan, np.inf, 0, 1], dtype))
        assert not np.signbit(g(x)[[3, 6]]).any()
    powers = np.arange(info.minexp - info.nmant - 3, info.maxexp + 2).astype(dtype)
    with np.errstate(over="ignore", under="ignore"):
        np.testing.assert_array_equal(f2(powers), np.exp2(powers.astype(np.longdouble)).astype(dtype))


def test_f32_overflow_and_underflow_of_exp():
    f = compiled("exp", "f32")
    edge = np.float32(88.72283172607422)
    x = np.array([edge, np.nextafter(edge, np.float32(100)), -103.972076, -103.97209, -87.5, -100], np.float32)
    with np.errstate(all="ignore"):
        expected = np.exp(x.astype(np.float64)).astype(np.float32)
    result = f(x)
    assert np.isfinite(result[0])
    assert np.isinf(result[1])
    assert result[2] == np.finfo(np.float32).smallest_subnormal
    np.testing.assert_allclose(result, expected, rtol=0, atol=float(np.finfo(np.float32).smallest_subnormal))


def decimal_error(name: str, x: float, got: float) -> float:
    """The error of an f64 result in units in the last place of the exact one."""
    exact = Decimal(x).exp() if name == "exp" else (Decimal(x) * Decimal(2).ln()).exp()
    place = np.ldexp(1.0, max(int(np.frexp(float(exact))[1]) - 53, -1074))
    return float(abs(Decimal(got) - exact) / Decimal(float(place)))


@pytest.mark.parametrize("name", ["exp", "exp2"])
@pytest.mark.parametrize(("low", "high"), [(-0.4, 0.4), (-708.0, 709.0), (-745.0, -708.0)])
def test_f64_bound(name: str, low: float, high: float):
    scale = 1.0 if name == "exp" else float(np.log2(np.e))
    x = np.random.default_rng(7).uniform(low * scale, high * scale, 3000)
    with localcontext() as context:
        context.prec = 40
        results = compiled(name, "f64")(x)
        worst = max(decimal_error(name, a, b) for a, b in zip(x.tolist(), results.tolist(), strict=True))
    assert worst <= FMA_EXPANSIONS[OPS[name]].ulp["f64"]


def test_f64_rsqrt_bound():
    x = np.exp2(np.random.default_rng(3).uniform(-1074, 1023, 3000))
    worst = 0.0
    with localcontext() as context:
        context.prec = 40
        for a, b in zip(x.tolist(), compiled("rsqrt", "f64")(x).tolist(), strict=True):
            exact = 1 / Decimal(a).sqrt()
            place = float(np.ldexp(1.0, int(np.frexp(float(exact))[1]) - 53))
            worst = max(worst, float(abs(Decimal(b) - exact) / Decimal(place)))
    assert worst <= FMA_EXPANSIONS[math.RsqrtOp].ulp["f64"]


@pytest.mark.parametrize("name", ["f16", "bf16"])
def test_small_formats_are_rounded_once(name: str):
    dtype = np.float16 if name == "f16" else ml_dtypes.bfloat16
    x = np.arange(2**16, dtype=np.uint16).view(dtype)
    with np.errstate(all="ignore"):
        wide = np.exp(x.astype(np.float64))
        text = llvm_ir(expanded("exp", name))
        through_f32 = compiled("exp", "f32")(x.astype(np.float32))
        close = errors(through_f32, wide)
    assert float(close.max()) <= FMA_EXPANSIONS[math.ExpOp].ulp["f32"]
    assert text.count("fpext") == 1
    assert text.count("fptrunc") == 1


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the assembly is of x86")
@pytest.mark.parametrize(("cpu", "register"), [("haswell", "ymm"), ("znver4", "zmm")])
def test_f32_loop_vectorises(cpu: str, register: str):
    text = assembly(llvm_ir(expanded("exp", "f32")), cpu)
    assert len(re.findall(rf"vfn?madd\w*ps\s.*%{register}", text)) >= 7
    assert re.search(rf"vmaxps\s.*%{register}", text)
    assert "call" not in text


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
