"""Scans as launches: rows of one part and several, along the innermost axis and others, short and long, in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from extension_programs import BF16, Array, program, signless
from schedules.device_forms import compiled, device_pipelines

__all__ = ["device_pipelines"]
TARGETS = pytest.mark.parametrize("target", ["gpu", "cuda"])
DTYPES: dict[str, Any] = {
    "f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": BF16, "i8": np.int8, "u8": np.uint8,
    "i64": np.int64, "i32": np.int32,
}  # fmt: skip
EPS = {"f32": 2.0**-24, "f64": 2.0**-53, "f16": 2.0**-11, "bf16": 2.0**-8}


def attributes(kind: str, type: str, axis: int, exclusive: int = 0) -> str:
    said = f"kind = #atlas.kind<{kind}>, type = #atlas.dtype<{type}>"
    return f"axis = {axis}, {said}, exclusive = {exclusive}"


def scanned(x: Array, axis: int, kind: str, exclusive: int) -> tuple[Array, Array]:
    """The scan, exact or in float64, and for sums of floats what magnitudes add up to."""
    whole = x.dtype.kind in "iu"
    wide = x if whole else x.astype(np.float64)
    step: Any = {"add": np.add, "mul": np.multiply, "min": np.fmin, "max": np.fmax, "max.nan": np.maximum}[kind]
    with np.errstate(all="ignore"):
        found, sizes = (step.accumulate(v, axis, dtype=v.dtype) for v in (wide, wide if whole else np.abs(wide)))
    if not exclusive:
        return found, sizes
    starts: dict[str, float] = {"add": 0, "mul": 1}
    limits: Any = np.iinfo(x.dtype) if whole else None
    start = starts.get(
        kind, (limits.max if kind == "min" else limits.min) if whole else np.inf if kind == "min" else -np.inf
    )
    shape = list(x.shape)
    shape[axis] = min(shape[axis], 1)
    last = tuple(slice(0, -1) if d == axis else slice(None) for d in range(x.ndim))
    return tuple(np.concatenate([np.full(shape, start, v.dtype), v[last]], axis) for v in (found, sizes))  # pyright: ignore


def check(kernel: Any, x: Array, kind: str, type: str, axis: int, exclusive: int = 0) -> None:
    """Integers, minima and maxima are exact; sums and products within what `atlas.scan` promises."""
    out = np.full_like(x, 9)
    kernel(signless(x), signless(out))
    expected, sizes = scanned(x, axis, kind, exclusive)
    if type[0] in "iu" or kind not in ("add", "mul"):
        np.testing.assert_array_equal(out.astype(expected.dtype), expected)
        return
    number: Any = np.cumsum(np.ones_like(sizes), axis)
    unit = min(EPS[type], EPS["f32"])
    allowed = (number + 1) * unit * sizes + (EPS[type] * np.abs(expected) if EPS[type] > unit else 0) + 1e-38
    got: Any = out.astype(np.float64)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(expected))
    with np.errstate(invalid="ignore"):
        near = np.isnan(expected) | (got == expected) | (np.abs(got - expected) <= allowed)
    assert near.all(), (x.shape, np.argwhere(~near)[:3])


def drawn(shape: Sequence[int], type: str) -> Array:
    rng = np.random.default_rng([3, *shape])
    if type[0] in "iu":
        return rng.integers(-100, 100, shape).astype(DTYPES[type])
    return rng.standard_normal(shape).astype(DTYPES[type])


def text_of(rank: int, type: str, said: str) -> str:
    one = np.zeros([1] * rank, DTYPES[type])
    return program("scan", [one], [one], said)


@pytest.mark.slow
@TARGETS
def test_a_line(target: str):
    """Lines of no element, one, a thread's row, one tile and parts of these, several parts; an odd address."""
    kernel = compiled(text_of(1, "f32", attributes("add", "f32", 0)), target)
    for count in (0, 1, 2, 64, 65, 255, 2048, 2049, 70_001):
        check(kernel, drawn((count,), "f32"), "add", "f32", 0)
    check(kernel, drawn((5001,), "f32")[1:], "add", "f32", 0)


@pytest.mark.slow
@TARGETS
@pytest.mark.parametrize(
    ("kind", "type", "exclusive"),
    [
        ("add", "f32", 1), ("add", "bf16", 0), ("add", "f16", 1), ("mul", "i8", 0), ("min", "u8", 1), ("add", "i64", 1),
        ("max.nan", "f64", 0), ("max", "f32", 1), ("mul", "f64", 0),
    ],
)  # fmt: skip
def test_kinds_and_types(target: str, kind: str, type: str, exclusive: int):
    """Along both axes, with shapes around the sizes of parts and tiles; NaN and infinities among floats."""
    for axis in (0, 1):
        kernel = compiled(text_of(2, type, attributes(kind, type, axis, exclusive)), target)
        for shape in ((1, 1), (0, 4), (4, 0), (3, 70), (2, 5000), (5000, 2), (300, 5)):
            x = drawn(shape, type)
            if kind == "mul" and type == "f64":
                x = 1 + x * 1e-3
            elif x.dtype.kind == "f" and x.size > 1000:
                x.reshape(-1)[[x.size - 3, x.size // 2]] = np.nan, -np.inf
            check(kernel, x, kind, type, axis, exclusive)


@pytest.mark.slow
@TARGETS
def test_signs_of_zero(target: str):
    """Sums of -0 stay -0; those of nothing are +0."""
    for exclusive in (0, 1):
        kernel = compiled(text_of(1, "f32", attributes("add", "f32", 0, exclusive)), target)
        for count in (3, 100):
            out = np.ones(count, np.float32)
            kernel(np.full(count, -0.0, np.float32), out)
            assert np.signbit(out).tolist() == [not exclusive] + [True] * (count - 1)


@pytest.mark.slow
@TARGETS
def test_in_place_of_strides_and_of_rank_three(target: str):
    for axis, shape in ((1, (4, 9000)), (0, (4000, 3)), (1, (3, 500, 7))):
        x = drawn([*shape[:-1], shape[-1] * 2], "f32")[..., ::2]
        expected, _ = scanned(x, axis, "add", 0)
        kernel = compiled(program("scan", [x], [], attributes("add", "f32", axis), in_place=0), target)
        kernel(x)
        np.testing.assert_allclose(x, expected, rtol=1e-4, atol=1e-3)


STATIC = """
func.func @main(%x: memref<3x500xi32>, %y: memref<3x500xi32>) {
  atlas.scan ins(%x : memref<3x500xi32>) outs(%y : memref<3x500xi32>)
    {axis = 1 : i64, kind = #atlas.kind<add>, type = #atlas.dtype<i32>}
  func.return
}"""


def test_static_sizes():
    """A known row is one form's."""
    check(compiled(STATIC, "gpu"), drawn((3, 500), "i32"), "add", "i32", 1)


@pytest.mark.slow
@TARGETS
def test_wide_integers(target: str):
    """Elements that are wider than a word are scanned by a thread for each row."""
    wide = STATIC.replace("500xi32", "5xi128").replace("dtype<i32>", "dtype<i128>")
    x = np.zeros((3, 5, 2), np.uint64)
    x[..., 0] = 2**63
    out = np.zeros_like(x)
    compiled(wide, target)(x, out)
    np.testing.assert_array_equal(out[..., 1], np.tile([0, 1, 1, 2, 2], (3, 1)))
