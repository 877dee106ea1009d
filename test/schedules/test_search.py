"""argmin, argmax, scan and scatter on the CPU: against numpy and, where bits are promised, the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from extension_programs import BF16, Array, on_both, program
from hologram.errors import TrapError
from interpreter.running import fails, run

SHAPES = ((1, 1), (3, 7), (2, 300), (130, 5), (0, 4))
DTYPES: dict[str, Any] = {
    "f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": BF16, "i8": np.int8, "u8": np.uint8,
    "i64": np.int64, "u32": np.uint32,
}  # fmt: skip


def draw(type: str, *shape: int) -> Array:
    """Few values, so that ties are frequent, and the special ones."""
    rng = np.random.default_rng(sum(shape))
    if type[0] in "iu":
        return rng.choice([0, 1, -1, 127, -128], shape).astype(np.int64).astype(DTYPES[type])
    return rng.choice([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan], shape).astype(DTYPES[type])


def best(name: str, x: Array, axis: int, nan: int = 0) -> Array:
    """The first place of the least or greatest by Python's comparison, NaN passed over, or that of the first NaN."""

    def place(row: Array) -> int:
        if nan and (row != row).any():
            return int(np.argmax(row != row))
        kept = [(float(v), n) for n, v in enumerate(row) if v == v]
        if not kept:
            return 0
        wanted = (min if name == "argmin" else max)(v for v, _ in kept)
        return next(n for v, n in kept if v == wanted)

    return np.apply_along_axis(place, axis, x).astype(np.int64)


@pytest.mark.parametrize(
    ("name", "type", "nan"),
    [("argmin", "f32", 0), ("argmax", "u8", 1), ("argmax", "bf16", 0), ("argmin", "i64", 0), ("argmin", "f16", 1),
     ("argmax", "f32", 1), ("argmax", "f64", 1)],
)  # fmt: skip
def test_arg(name: str, type: str, nan: int) -> None:
    for axis in (0, 1):
        attributes = f"axis = {axis} : i64, type = #atlas.dtype<{type}>, nan = {nan} : i64"
        text = program(name, [draw(type, 1, 1)], [np.zeros(1, np.int64)], attributes)
        for shape in SHAPES[:4] if axis == 0 else SHAPES:
            x = draw(type, *shape)
            out = np.full(shape[1 - axis], 7, np.int64)
            (found,), (expected,) = on_both(text, [x], [out])
            assert np.array_equal(found, expected)
            if x.size:
                assert np.array_equal(found, best(name, x, axis, nan))


def test_arg_of_nan_alone_and_of_an_axis_that_strides() -> None:
    x = np.full((4, 6), np.nan, np.float32)
    x[1, 4], x[2, 3], x[3, :] = -np.inf, np.inf, 5
    kernel = hologram.compile(program("argmax", [x], [np.zeros(4, np.int32)], "axis = 1, type = #atlas.dtype<f32>"))
    out = np.full(4, 9, np.int32)
    kernel(x, out)
    assert out.tolist() == [0, 4, 3, 0]
    wide = np.zeros((4, 12), np.float32)
    wide[:, ::2] = x
    text = program("argmax", [wide[:, ::2]], [out], "axis = 1, type = #atlas.dtype<f32>")
    (found,), (expected,) = on_both(text, [wide[:, ::2]], [out])
    assert found.tolist() == expected.tolist() == [0, 4, 3, 0]


def test_arg_of_nothing_traps() -> None:
    x, out = np.zeros((3, 0), np.float32), np.zeros(3, np.int64)
    text = program("argmin", [x], [out], "axis = 1 : i64, type = #atlas.dtype<f32>")
    with pytest.raises(TrapError, match="no elements along the axis"):
        hologram.compile(text)(x, out)
    fails("trap-assert", run, text, x, out)


@pytest.mark.parametrize(
    ("kind", "type", "axis", "exclusive"),
    [("add", "f32", 1, 1), ("add", "bf16", 0, 0), ("mul", "i8", 1, 0), ("min", "u8", 0, 1), ("max.nan", "f64", 1, 0)],
)
def test_scan(kind: str, type: str, axis: int, exclusive: int) -> None:
    rng = np.random.default_rng(3)
    attributes = f"axis = {axis}, kind = #atlas.kind<{kind}>, type = #atlas.dtype<{type}>, exclusive = {exclusive}"
    text = program("scan", [draw(type, 1, 1)], [draw(type, 1, 1)], attributes)
    for shape in SHAPES:
        x = rng.normal(size=shape).astype(DTYPES[type]) if type == "bf16" else draw(type, *shape)
        (found,), (expected,) = on_both(text, [x], [np.full_like(x, 9)])
        assert same(found, expected)
        if type == "bf16":
            assert np.allclose(found.astype(float), np.cumsum(x.astype(float), axis), rtol=2.0**-7, atol=2.0**-8)


def same(a: Array, b: Array) -> bool:
    """Equal bits, but for what kind of NaN."""
    numbers = a.dtype.kind in "iu" or bool((np.isnan(a) == np.isnan(b)).all())
    return numbers and np.where(a == a, a, 0).tobytes() == np.where(b == b, b, 0).tobytes()


def test_scan_in_place_and_of_strides() -> None:
    x = np.arange(40, dtype=np.float32).reshape(4, 10)
    view = x[:, ::3]
    text = program("scan", [view], [], "axis = 1, kind = #atlas.kind<add>, type = #atlas.dtype<f32>", in_place=0)
    kernel = hologram.compile(text)
    expected = np.cumsum(view, axis=1)
    kernel(view)
    assert np.array_equal(view, expected)


def test_scan_of_a_rank_of_three() -> None:
    x = np.random.default_rng(0).integers(-9, 9, (3, 5, 7))
    text = program("scan", [x], [x], "axis = 1, kind = #atlas.kind<add>, type = #atlas.dtype<i64>")
    (found,), (expected,) = on_both(text, [x], [np.zeros_like(x)])
    assert np.array_equal(found, expected)
    assert np.array_equal(found, np.cumsum(x, axis=1))


def test_scatter() -> None:
    rng, type = np.random.default_rng(5), "f32"
    for shape, axis, places in (((2, 6, 3), 1, (2, 5)), ((7,), 0, (12,)), ((3, 5), 1, (0,))):
        x = rng.normal(size=shape).astype(DTYPES[type])
        indices = rng.integers(0, shape[axis], places)
        update = rng.normal(size=(*shape[:axis], *places, *shape[axis + 1 :])).astype(DTYPES[type])
        out = np.full_like(x, 9)
        ins = [x, indices, update]
        (found,), (expected,) = on_both(program("scatter", ins, [out], f"axis = {axis}"), ins, [out])
        assert np.array_equal(found, expected)
        kept = [n for n in range(shape[axis]) if n not in indices]
        assert np.array_equal(np.take(found, kept, axis), np.take(x, kept, axis))
        if places == (12,):
            for place in set(indices.tolist()):
                assert found[place] == update[np.flatnonzero(indices == place)[-1]]
        hologram.compile(program("scatter", ins, [], f"axis = {axis}", in_place=0))(*ins)
        assert np.array_equal(x, found)


def test_scatter_out_of_range() -> None:
    x, update, out = np.zeros((4, 2), np.float32), np.ones((2, 2), np.float32), np.zeros((4, 2), np.float32)
    for index in (-1, 4, 2**40):
        indices = np.array([1, index])
        text = program("scatter", [x, indices, update], [out], "axis = 0")
        with pytest.raises(TrapError, match=r"atlas\.scatter: index out of range"):
            hologram.compile(text)(x, indices, update, out)
        fails("trap-gather-index", run, text, x, indices, update, out)


def test_sizes_that_do_not_fit_trap() -> None:
    x, out = np.zeros((4, 2), np.float32), np.zeros((4, 3), np.float32)
    text = program("scan", [x], [out], "axis = 1, kind = #atlas.kind<add>, type = #atlas.dtype<f32>")
    with pytest.raises(TrapError, match="must have the size of axis 1"):
        hologram.compile(text)(x, out)
    fails("interpreter-extension-sizes", run, text, x, out)
