"""Reductions to the bit for every width of vectors, with special values, and spread over parts."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from operator import add, mul
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hologram
from conformance.values import blank, decode, encode
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.lowering.pipelines.pipelines import PIPELINES, Stage
from schedules.model import Array, combine
from schedules.test_reduce import drawn, flattened, program

pytestmark = pytest.mark.slow
TYPES: dict[str, Any] = {"f32": np.float32, "f64": np.float64, "i32": np.int32}
COUNTS = (0, 1, 2, 15, 16, 17, 127, 128, 129, 4095, 4096, 4097, 100001)


def with_width(stage: Stage, width: int) -> Stage:
    passes = stage.passes.replace("schedule-atlas{target=cpu}", f"schedule-atlas{{target=cpu vector-bytes={width}}}")
    return replace(stage, passes=passes.replace("vectorize-loops", f"vectorize-loops{{vector-bytes={width}}}"))


def compiled(text: str, width: int) -> Any:
    """The program for registers of so many bytes."""
    stages = tuple(with_width(stage, width) for stage in PIPELINES["hologram-to-cpu"])
    assert sum(f"vector-bytes={width}" in stage.passes for stage in stages) == 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PIPELINES, "hologram-to-cpu", stages)
        return hologram.compile(text, cache=False)


def same(one: Array, other: Array) -> bool:
    """Return whether arrays agree to the bit, except for the kind of NaN."""
    return bool(((one == other) & (np.signbit(one) == np.signbit(other)) | (one != one) & (other != other)).all())


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("width", [16, 32, 64])
def test_sums_of_a_line_and_of_rows(width: int, type: str) -> None:
    line, rows = (compiled(program("add", type, rank, kept), width) for rank, kept in ((1, ()), (2, (0,))))
    for count in COUNTS:
        a, r, s = drawn((2, count), type), np.full((), 9, TYPES[type]), np.full(2, 9, TYPES[type])
        line(a[0].copy(), r)
        rows(a, s)
        want = combine(a.T, np.add, -0.0 if type != "i32" else 0)
        assert r == want[0], count
        np.testing.assert_array_equal(s, want, err_msg=str(count))


@pytest.mark.parametrize("kind", ["add", "mul", "min", "max", "min.nan", "max.nan"])
@pytest.mark.parametrize("width", [16, 64])
def test_special_values(width: int, kind: str) -> None:
    kernel = compiled(program(kind, "f32", 1, ()), width)
    reference = hologram.compile(program(kind, "f32", 2, (1,)))
    for count in (1, 3, 128, 130, 5000):
        for special in (np.nan, np.inf, -np.inf, -0.0, 0.0):
            a = drawn((count,)) * np.float32(1e-3)
            a[count // 2 :: 97] = special
            r, columns = np.full((), 9, np.float32), np.full(2, 9, np.float32)
            kernel(a, r)
            reference(np.repeat(a[:, None], 2, 1), columns)
            assert same(np.array([r, r]), columns), (count, special)


@pytest.mark.parametrize("kind", ["min.nan", "max.nan", "min", "max"])
def test_signs_of_zero(kind: str) -> None:
    kernel = hologram.compile(program(kind, "f32", 1, ()))
    for count in (2, 20, 300):
        for place in (0, count - 1):
            a, r = np.zeros(count, np.float32), np.full((), 9, np.float32)
            a[place] = -0.0
            kernel(a, r)
            assert np.signbit(r) == ("min" in kind)


TWO = """
func.func @main(%a: memref<?xf32>, %s: memref<f32>, %m: memref<f32>) {
  atlas.reduce [add f32, max.nan f32] ins(%a : memref<?xf32>) outs(%s, %m : memref<f32>, memref<f32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>] {
  ^bb0(%x: f32):
    atlas.yield %x, %x : f32, f32
  }
  func.return
}"""


@pytest.mark.parametrize("count", [0, 1, 130, 4097, 1_060_001])
def test_two_combiners_in_parts(count: int) -> None:
    a, s, m = drawn((count,)), np.full((), 9, np.float32), np.full((), 9, np.float32)
    hologram.compile(TWO)(a, s, m)
    assert s == combine(a, np.add, -0.0)
    assert m == np.max(a, initial=-np.inf)


@pytest.mark.parametrize("count", [4096, 4097, 1_060_000])
def test_a_static_line_in_parts(count: int) -> None:
    a, r = drawn((count,)), np.full((), 9, np.float32)
    hologram.compile(program("add", "f32", 1, (), (count,)))(a, r)
    assert r == combine(a, np.add, -0.0)


@pytest.mark.parametrize("known", [0, 9000, 4097])
def test_a_line_beyond_the_cache_is_prefetched(known: int) -> None:
    stages = tuple(
        replace(s, passes=s.passes.replace("{target=cpu}", "{target=cpu cache-bytes=17000}"))
        for s in PIPELINES["hologram-to-cpu"]
    )
    text = program("add", "f32", 1, (), (known,) if known else None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PIPELINES, "hologram-to-cpu", stages)
        kernel = hologram.compile(text, cache=False)
    for count in [known] if known else [0, 4096, 4300, 9000]:
        a, r = drawn((count,)), np.full((), 9, np.float32)
        a.flags.writeable = False
        kernel(a, r)
        assert r == combine(a, np.add, -0.0)


@settings(max_examples=30)
@given(shape=st.tuples(st.integers(0, 30), st.integers(0, 900)), kept=st.sampled_from([(), (0,), (1,)]))
def test_random_shapes(shape: tuple[int, int], kept: tuple[int, ...]) -> None:
    a, r = drawn(shape), np.full([shape[d] for d in kept], 9, np.float32)
    hologram.compile(program("add", "f32", 2, kept))(a, r)
    np.testing.assert_array_equal(r, combine(flattened(a, kept), np.add, -0.0))


@pytest.mark.parametrize(("kind", "two"), [("add", add), ("mul", mul), ("max", max)])
def test_integers_of_no_vector(kind: str, two: Callable[[int, int], int]) -> None:
    """One accumulator a line, for a line that is spread over parts as well."""
    t, half = DTYPES["i512"], 1 << 511
    line, rows = (hologram.compile(program(kind, "i512", rank, kept)) for rank, kept in ((1, ()), (2, (0,))))
    draw = random.Random(kind)

    def wrapped(a: int, b: int) -> int:
        return (two(a, b) + half) % (2 * half) - half

    for count in (1, 2, 129, 5000):
        given = [[draw.getrandbits(512) - half | 1 for _ in range(count)] for _ in range(2)]
        r, s = blank(1, t), blank(2, t)
        line(encode(given[0], t), r[0])
        rows(np.stack([encode(values, t) for values in given]), s)
        wanted = [reduce(wrapped, values) for values in given]
        assert (decode(r, t), decode(s, t)) == (wanted[:1], wanted), count
