"""sort and argsort against numpy: interpreted, on the CPU, and as the launches of devices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from extension_programs import BF16, Array, memref, on_both, program, signless
from hologram.errors import TrapError
from schedules.device_forms import NAMES
from schedules.device_forms import device_pipelines as device_pipelines

DTYPES: dict[str, Any] = {
    "bool": np.bool_, "f16": np.float16, "bf16": BF16, "f32": np.float32, "f64": np.float64,
    **{f"{kind[0]}{bits}": np.dtype(f"{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
}  # fmt: skip
ROWS = [((n,), 0) for n in (0, 1, 2, 3, 15, 16, 17, 1000, 4097)]
SHAPES = [
    *ROWS, ((3, 7), 0), ((3, 33), 1), ((0, 4), 1), ((4, 0), 1), ((2, 5, 3), 1), ((3, 2, 2, 17), 3), ((2, 19, 1, 3), 1),
]  # fmt: skip
RANKS = ("f32", "u8")
"""The types whose arrays of several axes are sorted."""


def draw(type: str, shape: tuple[int, ...]) -> Array:
    """Few values, so that ties are frequent, the special ones among them."""
    rng = np.random.default_rng(sum(shape))
    dtype = np.dtype(DTYPES[type])
    if dtype.kind in "iub":
        return rng.integers(-100, 100, shape).astype(dtype)
    x = rng.choice([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 1e-7, 60000.0], shape).astype(dtype)
    # NaN of both signs are equal.
    return np.where(rng.integers(0, 2, shape) == 0, x, -x)


def order(x: Array, axis: int, *, descending: bool) -> Array:
    """The stable order by numpy; of floats below 32 bits by what they are in f32."""
    keys = x.astype(np.float32) if x.dtype.itemsize == 2 and x.dtype.kind not in "iu" else x
    if not descending:
        return np.argsort(keys, axis=axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(np.argsort(np.flip(keys, axis), axis=axis, kind="stable"), axis)


def text_of(name: str, x: Array, out: Array, type: str, axis: int, *, descending: bool, **given: Any) -> str:
    attributes = f"axis = {axis} : i64, type = #atlas.dtype<{type}>, descending = {int(descending)} : i64"
    return program(name, [x], [out], attributes, **given)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("type", DTYPES)
def test_as_numpy(type: str, descending: bool) -> None:
    """To the bit, interpreted and compiled."""
    for shape, axis in SHAPES if type in RANKS else ROWS:
        x = draw(type, shape)
        places = order(x, axis, descending=descending)
        text = text_of("sort", x, x, type, axis, descending=descending)
        (found,), (expected,) = on_both(text, [x], [np.zeros_like(x)])
        assert found.tobytes() == expected.tobytes() == np.take_along_axis(x, places, axis).tobytes(), shape
        out = np.zeros(shape, np.int32 if descending else np.int64)
        text = text_of("argsort", x, out, type, axis, descending=descending)
        (found,), (expected,) = on_both(text, [x], [out])
        assert found.tolist() == expected.tolist() == places.tolist(), shape


@pytest.mark.slow
@pytest.mark.parametrize("target", NAMES)
@pytest.mark.parametrize("type", ["bool", "bf16", "f32", "f64", "u8", "i64"])
def test_as_launches(type: str, target: str) -> None:
    for name in ("sort", "argsort"):
        kernels: dict[tuple[int, int], Any] = {}
        for shape, axis in SHAPES:
            x = draw(type, shape)
            out = np.zeros(shape, np.int64) if name == "argsort" else np.zeros_like(x)
            key = (len(shape), axis)
            if key not in kernels:
                text = text_of(name, x, out, type, axis, descending=True)
                kernels[key] = hologram.compile(text, pipeline=NAMES[target])
            kernels[key](signless(x), signless(out))
            places = order(x, axis, descending=True)
            wanted = places if name == "argsort" else np.take_along_axis(x, places, axis)
            assert out.tobytes() == wanted.tobytes(), shape


def test_launches_of_a_row() -> None:
    """The tile, passes over runs that are cut off, and the result."""
    for n in (1, 16, 17, 1000):
        x, out = draw("f32", (n,)), np.zeros(n, np.int64)
        text = text_of("argsort", x, out, "f32", 0, descending=False)
        hologram.compile(text, pipeline=NAMES["gpu"])(x, out)
        assert out.tolist() == order(x, 0, descending=False).tolist()


@pytest.mark.parametrize("pipeline", [None, NAMES["gpu"]])
def test_in_place_and_of_strides(pipeline: str | None) -> None:
    x = np.random.default_rng(1).integers(0, 50, (6, 120)).astype(np.int16)
    view = x[::2, ::3]
    expected = np.sort(view, axis=0)
    text = text_of("sort", view, view, "i16", 0, descending=False, in_place=0)
    hologram.compile(text, pipeline=pipeline)(view)
    assert np.array_equal(view, expected)


@pytest.mark.parametrize("pipeline", [None, NAMES["gpu"]])
def test_of_a_static_shape(pipeline: str | None) -> None:
    x = draw("f32", (3, 40))
    for axis in (0, 1):
        text = text_of("sort", x, x, "f32", axis, descending=True, static=True)
        assert memref(x, static=True) in text
        out = np.zeros_like(x)
        hologram.compile(text, pipeline=pipeline)(x, out)
        assert out.tobytes() == np.take_along_axis(x, order(x, axis, descending=True), axis).tobytes()


def test_a_long_row() -> None:
    """Many blocks, each of which was sorted by itself."""
    x = np.random.default_rng(2).standard_normal(300_001).astype(np.float32)
    out = np.zeros_like(x)
    hologram.compile(text_of("sort", x, out, "f32", 0, descending=False))(x, out)
    assert np.array_equal(out, np.sort(x))


def test_runs_that_are_in_order_and_backwards() -> None:
    for x in (np.arange(9000), np.arange(9000)[::-1].copy(), np.arange(9000) // 100):
        out = np.zeros(9000, np.int64)
        hologram.compile(text_of("argsort", x, out, "i64", 0, descending=False))(x, out)
        assert np.array_equal(out, np.argsort(x, kind="stable"))


@pytest.mark.parametrize(("kind", "type"), [("add", "f32"), ("max.nan", "f64"), ("mul", "bf16"), ("min", "i8")])
def test_a_scatter_that_reduces(kind: str, type: str) -> None:
    """In the order of the updates, to the bit: interpreted, on the CPU and as launches."""
    rng = np.random.default_rng(5)
    attributes = f"kind = #atlas.kind<{kind}>, type = #atlas.dtype<{type}>"
    for shape, axis, places in (((7,), 0, (1200,)), ((2, 6, 3), 1, (2, 5)), ((3, 5), 1, (0,))):
        x = (rng.standard_normal(shape) * 3).astype(DTYPES[type])
        indices = rng.integers(0, shape[axis], places)
        update = (rng.standard_normal((*shape[:axis], *places, *shape[axis + 1 :])) * 3).astype(DTYPES[type])
        ins, out = [x, indices, update], np.zeros_like(x)
        text = program("scatter_reduce", ins, [out], f"axis = {axis} : i64, {attributes}")
        (found,), (expected,) = on_both(text, ins, [out])
        assert found.tobytes() == expected.tobytes()
        kernel = hologram.compile(text, pipeline=NAMES["gpu"])
        kernel(*ins, out)
        assert out.tobytes() == expected.tobytes()
        if places == (1200,):
            for index in (-1, 7, 2**40):
                indices[3] = index
                with pytest.raises(TrapError, match="index out of range"):
                    kernel(*ins, out)
