"""Matrix products on a real NVIDIA GPU: on tensor cores where its architecture has warp groups, in tiles elsewhere."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hologram

pytestmark = pytest.mark.gpu

TYPES = {
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f8E4M3FN": np.dtype(ml_dtypes.float8_e4m3fn),
}
ROUNDING = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-23}
"""Half a unit in the last place of results, as a part of them; of f32 what some rounded sums may differ by."""
EVEN = (
    (128, 256, 64),
    (256, 512, 4096),
    (1008, 1008, 1008),
    (392, 1136, 720),
    (64, 64, 64),
    (8, 8, 8),
    (2048, 2048, 256),
)
"""Sizes with maps: tiles that are whole and others, one tile and many, few steps along k and many."""
ODD = ((17, 19, 23), (1, 257, 65), (130, 66, 70), (129, 1, 33), (64, 64, 0), (0, 8, 8), (1, 1, 1))
"""Sizes without."""


def product(element: str, out: str = "", attributes: str = "") -> str:
    """A function of three arrays."""
    out = out or element
    name = "gemm" if out == element else "mixed_precision_gemm"
    kinds = [f"memref<?x?x{t}>" for t in (element, element, out)]
    return f"""
func.func @product(%a: {kinds[0]}, %b: {kinds[1]}, %c: {kinds[2]}) {{
  atlas.{name} ins(%a, %b : {kinds[0]}, {kinds[1]}) outs(%c : {kinds[2]}) {{{attributes}}}
  func.return
}}
"""


def operand(shape: tuple[int, int], element: str, seed: int, *, whole: bool = False) -> Any:
    """Numbers that the type has exactly."""
    random = np.random.default_rng([seed, *shape])
    values = random.integers(-4, 5, shape) if whole else random.standard_normal(shape, np.float32)
    return values.astype(TYPES[element])


def run(kernel: Any, a: Any, b: Any, shape: tuple[int, int], out: str) -> Any:
    """The product, in an array that was full of NaN."""
    given = [hologram.array(x, device="cuda") for x in (a, b)]
    result = hologram.array(np.full(shape, np.nan, TYPES[out]), device="cuda")
    kernel(*given, result)
    return result.numpy().astype(np.float64)


def check(found: Any, a: Any, b: Any, out: str, *, inside: float = 2.0**-23) -> None:
    """Each element is the sum but for its rounding, and what sums of products in f32 may be off by."""
    x, y = a.astype(np.float64), b.astype(np.float64)
    expected, magnitude = x @ y, np.abs(x) @ np.abs(y)
    allowed = ROUNDING[out] * np.abs(expected) + inside * (a.shape[1] ** 0.5 + 3) * magnitude + 1e-7
    assert found.shape == expected.shape
    assert not np.isnan(found).any()
    assert (np.abs(found - expected) <= allowed).all(), np.max(np.abs(found - expected) / allowed)


@pytest.mark.parametrize("element", ["bf16", "f16", "f32"])
def test_sizes(element: str):
    kernel = hologram.compile(product(element), device="cuda")
    for m, n, k in (*EVEN, *ODD):
        a, b = operand((m, k), element, 1), operand((k, n), element, 2)
        check(run(kernel, a, b, (m, n), element), a, b, element)


@pytest.mark.parametrize("element", ["bf16", "f16"])
@pytest.mark.parametrize("flips", [(0, 1), (1, 0), (1, 1)])
def test_transposes(element: str, flips: tuple[int, int]):
    kernel = hologram.compile(
        product(element, attributes=f"trans_a = {flips[0]} : i1, trans_b = {flips[1]} : i1"), device="cuda"
    )
    for m, n, k in (*EVEN, *ODD[:3]):
        a, b = operand((m, k), element, 1), operand((k, n), element, 2)
        given = [np.ascontiguousarray(x.T) if flip else x for x, flip in zip((a, b), flips, strict=True)]
        check(run(kernel, given[0], given[1], (m, n), element), a, b, element)


@pytest.mark.parametrize("out", ["bf16", "f32"])
def test_floats_of_8_bits(out: str):
    kernel = hologram.compile(product("f8E4M3FN", out, "trans_b = 1 : i64"), device="cuda")
    for m, n, k in ((128, 256, 128), (1008, 1008, 1008), (272, 144, 4096), (17, 19, 23)):
        a, b = operand((m, k), "f8E4M3FN", 1), operand((k, n), "f8E4M3FN", 2)
        # Sums on the way are narrower than f32.
        check(run(kernel, a, np.ascontiguousarray(b.T), (m, n), out), a, b, out, inside=2.0**-12)


def test_f32_with_19_bits():
    kernel = hologram.compile(product("f32", attributes="trans_b = 1 : i1, schedule = {tf32 = 1 : i64}"), device="cuda")
    for m, n, k in ((128, 256, 64), (1008, 1008, 1008), (17, 19, 23)):
        a, b = operand((m, k), "f32", 1), operand((k, n), "f32", 2)
        check(run(kernel, a, np.ascontiguousarray(b.T), (m, n), "f32"), a, b, "f32", inside=2.0**-10)


def test_every_element_has_its_own_sum():
    """Whole numbers: any order of a sum is exact, so what is read twice, or not at all, shows."""
    kernel = hologram.compile(product("bf16", "f32"), device="cuda")
    for m, n, k in ((128, 256, 64), (1000, 776, 520), (2048, 1024, 128)):
        a, b = operand((m, k), "bf16", 1, whole=True), operand((k, n), "bf16", 2, whole=True)
        assert np.array_equal(run(kernel, a, b, (m, n), "f32"), a.astype(np.float64) @ b.astype(np.float64))


def test_a_factor():
    kernel = hologram.compile(product("bf16", "f32", "alpha = -2.5 : f64"), device="cuda")
    a, b = operand((136, 72), "bf16", 1, whole=True), operand((72, 264), "bf16", 2, whole=True)
    assert np.array_equal(run(kernel, a, b, (136, 264), "f32"), -2.5 * (a.astype(np.float64) @ b.astype(np.float64)))


def test_what_is_not_finite():
    kernel = hologram.compile(product("bf16", "f32"), device="cuda")
    a, b = operand((128, 64), "bf16", 1), operand((64, 64), "bf16", 2)
    a[3, 5], a[70, 9] = np.inf, np.nan
    found = hologram.zeros((128, 64), "f32", device="cuda")
    kernel(*(hologram.array(x, device="cuda") for x in (a, b)), found)
    values = found.numpy()
    assert np.isnan(values[70]).all()
    assert np.array_equal(values[3], np.where(b[5].astype(np.float32) > 0, np.inf, -np.inf))
    assert np.isfinite(np.delete(values, (3, 70), 0)).all()


def test_the_same_bits_again():
    kernel = hologram.compile(product("bf16"), device="cuda")
    a, b = operand((1008, 1008), "bf16", 1), operand((1008, 1008), "bf16", 2)
    first = run(kernel, a, b, (1008, 1008), "bf16")
    for _ in range(20):
        assert np.array_equal(run(kernel, a, b, (1008, 1008), "bf16"), first)
