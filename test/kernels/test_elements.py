"""Element types: what a call picks them from, and what they make of a document."""

# Kernels are typed by their own rules, which type checkers do not know: Array[f32, 2] is no type to them.
# pyright: basic, reportGeneralTypeIssues=false, reportInvalidTypeForm=false

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hologram
from hologram.frontend.kernels.build import build
from hologram.frontend.kernels.choices import variants, with_types
from hologram.frontend.kernels.document import read, read_all, write
from hologram.frontend.kernels.files import python_documents
from hologram.language import (
    Array,
    Constant,
    Element,
    barrier,
    div,
    f32,
    get_global_id,
    greatest,
    i32,
    lane_id,
    least,
    muladd,
    rem,
    shared,
)

T = Element("T", "f32", "f64", "f16", "bf16", "i32")
S = Element("S", "f32", "i32", "u8")
FLOAT = Element("T", "f32", "f16")
WIDE = FLOAT.wide


def twice(v):  # pyright: ignore
    return v + T(v)


@hologram.kernel(lanes="len(x)")
def doubled(x: Array[T], y: Array[T]):
    i = get_global_id()
    if i < len(x):
        y[i] = twice(x[i])


@hologram.kernel(lanes="len(x)")
def cast(x: Array[S], y: Array[T]):
    i = get_global_id()
    if i < len(x):
        y[i] = T(x[i])


@hologram.kernel(lanes="64", block=64)
def block_sum(x: Array[FLOAT], scale: FLOAT.wide, out: Array[FLOAT]):
    part = shared(WIDE, 64)
    lane = lane_id()
    part[lane] = FLOAT.wide(x[lane])
    barrier()
    if lane == 0:
        total: WIDE = 0
        for i in range(64):
            total += part[i]
        out[0] = FLOAT(total * scale)


@hologram.kernel(lanes="1")
def limits(x: Array[T]):
    x[0] = least(T)
    x[1] = greatest(T)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32", ml_dtypes.bfloat16])
def test_arrays_pick_the_type(dtype: Any):
    for n in (0, 1, 300):
        x, y = np.arange(n).astype(dtype), np.zeros(n, dtype)
        doubled(x, y)
        np.testing.assert_array_equal(y, x + x)


def test_two_element_types():
    y = np.zeros(5)
    cast(np.arange(5, dtype=np.uint8), y)
    np.testing.assert_array_equal(y, np.arange(5))


def test_sums_are_wide():
    x, out = np.full(64, 2000, np.float16), np.zeros(1, np.float16)
    block_sum(x, 0.25, out)
    assert out[0] == 32000, "a sum in f16 would have overflowed"
    assert [a.dtype for a in block_sum.compile(T="f16").arguments] == ["f16", "f32", "f16"]


@pytest.mark.parametrize(("dtype", "low", "high"), [("float64", -np.inf, np.inf), ("int32", -(2**31), 2**31 - 1)])
def test_limits(dtype: str, low: float, high: float):
    x = np.zeros(2, dtype)
    limits(x)
    assert x.tolist() == [low, high]


def test_the_type_is_said_or_the_first():
    assert doubled.compile().arguments[0].dtype == "f32"
    assert doubled.compile(T="f64").arguments[0].dtype == "f64"
    y = np.zeros(2, np.float32)
    with pytest.raises(hologram.LaunchError):
        doubled(y, y.copy(), T="f64")


def test_documents_keep_the_names():
    document = doubled.document
    assert document.types == {"T": T.dtypes}
    again = read(write(document))
    assert write(again) == write(document)
    assert str(build(with_types(again, {"T": "f16"}))) == str(build(with_types(document, {"T": "f16"})))
    assert str(build(again)) == str(build(with_types(again, {})))


def test_several_kernels_a_file():
    texts = [write(k.document, None) for k in (doubled, block_sum)]
    for text in (f"[{','.join(texts)}]", f'{{"kernels": [{",".join(texts)}]}}'):
        assert [d.kernel.name for d in read_all(text)] == ["doubled", "block_sum"]
    assert read_all(write([doubled.document, block_sum.document]))[1].types == {"T": ("f32", "f16")}


def test_a_variant_for_each_type():
    names = [v.kernel.name for v in variants(doubled.document, ("f64", "f32", "i8"))]
    assert names == ["doubled", "doubled_f64"]
    assert [v.kernel.name for v in variants(cast.document, ("f64",))] == ["cast_f32_f64"]
    assert len(list(variants(cast.document))) == 15
    build(*variants(doubled.document))


def test_a_file_that_is_not_run():
    file = Path(__file__)
    found = {d.kernel.name: d for d in python_documents(file.read_text(), str(file))}
    for kernel in (doubled, cast, block_sum, limits):
        assert write(found[kernel.__name__]) == write(kernel.document)


@hologram.kernel(lanes="1")
def chosen(x: Array[f32], HALF: Constant = True):
    if HALF:
        x[0] = 0.5
    else:
        x[0] = 1 // 0
    x[1] = 3.0 if HALF else x[7]
    x[2] = 1.0 if HALF and x[0] > 0 else 2.0


def test_constants_decide_when_compiled():
    x = np.zeros(3, np.float32)
    chosen(x)
    assert x.tolist() == [0.5, 3, 1]
    assert "else" not in str(build(chosen.document)).split("atlas.stg", 1)[0]


@hologram.kernel(lanes="len(a)")
def quotients(a: Array[i32], b: Array[i32], q: Array[i32], r: Array[i32]):
    i = get_global_id()
    if i < len(a):
        q[i] = div(a[i], b[i])
        r[i] = rem(a[i], b[i])


def test_quotients_towards_zero():
    a, b = np.array([7, -7, 7, -7], np.int32), np.array([2, 2, -2, -2], np.int32)
    q, r = np.zeros(4, np.int32), np.zeros(4, np.int32)
    quotients(a, b, q, r)
    assert q.tolist() == [3, -3, -3, 3]
    assert r.tolist() == [1, -1, 1, -1]


@hologram.kernel(lanes="len(x)")
def fused(x: Array[T], y: Array[T]):
    i = get_global_id()
    if i < len(x):
        y[i] = muladd(x[i], x[i], y[i])


def test_a_product_and_a_sum():
    step = np.float32(2**-23)
    x, y = np.full(3, 1 + step, np.float32), np.full(3, -1, np.float32)
    fused(x, y)
    assert set(y.tolist()) <= {2 * step, float(2 * step + step * step)}
    n = np.array([3, -4], np.int32)
    fused(n, n.copy())
    assert "contract" in str(build(fused.document))
    assert "contract" not in str(build(with_types(fused.document, {"T": "i32"})))
