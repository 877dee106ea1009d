"""The association of float reductions against a plain model of isa.md section 3, element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from hologram.dialects.atlas.arrays.general import Kind
from hologram.dialects.atlas.arrays.reference import combine, combine_axes
from hologram.dialects.atlas.instructions.types import DTYPES
from interpreter.running import run

SIZES = [1, 2, 3, 5, 8, 64, 127, 128, 129, 200, 256, 4095, 4096, 4097, 8192, 12288, 13000, 20480]


def model(elements: list[Any], start: Any, join: Callable[[Any, Any], Any]) -> Any:
    """Chunks of 4096, 128 accumulators in turn, halving, then a tree over the chunks padded to a power of two."""
    results: list[Any] = []
    for first in range(0, len(elements), 4096):
        accumulators = [start] * 128
        for i, element in enumerate(elements[first : first + 4096]):
            accumulators[i % 128] = join(accumulators[i % 128], element)
        for half in (64, 32, 16, 8, 4, 2, 1):
            for k in range(half):
                accumulators[k] = join(accumulators[k], accumulators[k + half])
        results.append(accumulators[0])
    while len(results) & (len(results) - 1):
        results.append(start)
    while len(results) > 1:
        results = [join(results[2 * j], results[2 * j + 1]) for j in range(len(results) // 2)]
    return results[0]


def random(count: int, dtype: Any = np.float32) -> Any:
    generator = np.random.default_rng(count)
    return (generator.standard_normal(count) * 10.0 ** generator.integers(-3, 4, count)).astype(dtype)


@pytest.mark.parametrize("count", SIZES)
def test_sum_has_the_association_of_the_isa(count: int):
    x = random(count)
    with np.errstate(all="ignore"):
        expected = model(list(x), np.float32(-0.0), lambda a, b: a + b)
    assert combine(Kind.add, DTYPES["f32"], x).tobytes() == expected.tobytes()


@pytest.mark.parametrize("count", [1, 100, 300, 5000])
def test_product_has_it_too(count: int):
    x = np.random.default_rng(count).uniform(0.9, 1.1, count)
    expected = model(list(x), np.float64(1.0), lambda a, b: a * b)
    assert combine(Kind.mul, DTYPES["f64"], x).tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("count", [3, 500, 9000])
def test_short_types_are_summed_in_f32_and_rounded_once(count: int, dtype: Any):
    x = np.random.default_rng(count).uniform(-1, 1, count).astype(dtype)
    wide = model(list(x.astype(np.float32)), np.float32(-0.0), lambda a, b: a + b)
    found = combine(Kind.add, DTYPES["f16" if dtype is np.float16 else "bf16"], x)
    assert found.dtype == dtype
    assert float(found) == float(wide.astype(dtype))


def test_zeros_keep_their_sign_and_an_empty_sum_is_positive_zero():
    f32 = DTYPES["f32"]
    assert np.signbit(combine(Kind.add, f32, np.array([-0.0, -0.0], np.float32)))
    assert not np.signbit(combine(Kind.add, f32, np.array([-0.0, 0.0], np.float32)))
    empty = combine(Kind.add, f32, np.zeros(0, np.float32))
    assert empty == 0
    assert not np.signbit(empty)


def test_empty_reductions_give_the_identity():
    none = np.zeros(0, np.float32)
    assert combine(Kind.mul, DTYPES["f32"], none) == 1
    assert combine(Kind.min, DTYPES["f32"], none) == np.inf
    assert combine(Kind.max_nan, DTYPES["f32"], none) == -np.inf
    assert combine(Kind.add, DTYPES["i32"], np.zeros(0, np.int32)) == 0
    assert combine(Kind.max, DTYPES["u8"], np.zeros(0, np.int8)) == 0
    assert combine(Kind.min, DTYPES["u8"], np.zeros(0, np.int8)) == -1  # 255 in storage form


def test_nan_in_min_and_max():
    f32 = DTYPES["f32"]
    some, all_nan = np.array([np.nan, 2, 3], np.float32), np.full(200, np.nan, np.float32)
    assert combine(Kind.min, f32, some) == 2
    assert combine(Kind.max, f32, some) == 3
    assert np.isnan(combine(Kind.min_nan, f32, some))
    assert np.isnan(combine(Kind.max_nan, f32, some))
    assert combine(Kind.max, f32, all_nan) == -np.inf
    assert combine(Kind.min, f32, np.array([0.0, -0.0], np.float32)).tobytes() == np.float32(-0.0).tobytes()


def test_integers_wrap_and_compare_by_their_type():
    x = np.array([100, 100, -100, 100], np.int8)
    assert combine(Kind.add, DTYPES["i8"], x) == -56
    assert combine(Kind.max, DTYPES["i8"], x) == 100
    assert combine(Kind.max, DTYPES["u8"], x) == -100


def test_reduced_index_is_row_major_over_the_axes():
    x = random(3 * 5 * 70).reshape(3, 5, 70)
    expected = [
        model([x[i, j, k] for i in range(3) for k in range(70)], np.float32(-0.0), lambda a, b: a + b) for j in range(5)
    ]
    assert combine_axes(Kind.add, DTYPES["f32"], x, [0, 2]).tolist() == [float(v) for v in expected]


def test_every_level_uses_it():
    x = random(6000)
    expected = model(list(x), np.float32(-0.0), lambda a, b: a + b)
    reduce_op = """
      %r = atlas.reduce [add f32] ins(%x : tensor<?xf32>) outs(%o : tensor<f32>)
        maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] {
      ^bb0(%e: f32):
        atlas.yield %e : f32
      }"""
    named = """
      %r = atlas.parallel_reduce ins(%x : tensor<?xf32>) outs(%o : tensor<f32>)
        {kind = #atlas.kind<add>, type = #atlas.dtype<f32>}"""
    tensor = "%r = hologram.reduce sum %x {axes = [0 : i64]} : tensor<?xf32> to tensor<f32>"
    for body in (reduce_op, named, tensor):
        (found,) = run(
            "func.func @f(%x: tensor<?xf32>) -> tensor<f32> {\n %o = tensor.empty() : tensor<f32>\n"
            f"{body}\n func.return %r : tensor<f32>\n}}", x,
        )  # fmt: skip
        assert found.tobytes() == expected.tobytes()
