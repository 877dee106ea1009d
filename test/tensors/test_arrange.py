"""Rows of numbers, grids, reversed, rotated, repeated, split tensors and differences, against numpy."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from hologram import ops
from tensor_agreement import Case, agree, agree_compiled, same


def floats(*shape: int) -> Any:
    numbers = np.arange(int(np.prod(shape)), dtype=np.float32) * 0.75 - 3
    numbers[::5] = np.nan
    return numbers.reshape(shape)


def bytes_of(*shape: int) -> Any:
    return (np.arange(int(np.prod(shape))) * 37 % 251).astype(np.uint8).reshape(shape)


def truths(*shape: int) -> Any:
    return (np.arange(int(np.prod(shape))) % 3 == 0).reshape(shape)


ROWS = [(floats(3, 4),), (floats(5, 1),), (floats(0, 2),), (floats(4, 6).T,), (floats(6, 8)[::2, ::-2],)]
CASES: dict[str, Case] = {
    "numbers-fused": (lambda m, x: m.arange(x.shape[0]) * x + m.arange(x.shape[0]), [(bytes_of(5),), (bytes_of(0),)]),
    "numbers-across": (lambda m, x: x * m.arange(x.shape[0])[:, None] - m.arange(x.shape[1]), [(bytes_of(3, 5),)]),
    "numbers-turned": (lambda m, x: m.transpose(x * m.arange(x.shape[1])) + m.arange(x.shape[0]), [(bytes_of(3, 5),)]),
    "numbers-summed": (lambda m, x: m.sum(m.arange(x.shape[1]) * x, axis=1), [(bytes_of(3, 257),), (bytes_of(2, 0),)]),
    "numbers-summed-down": (lambda m, x: m.sum(m.arange(x.shape[0])[:, None] * x, axis=0), [(bytes_of(300, 3),)]),
    "numbers-alone": (lambda m, x: m.sum(m.arange(x.shape[0])) + m.max(m.arange(x.shape[0] + 1)), [(bytes_of(77),)]),
    "numbers-taken": (lambda m, x: (m.arange(x.shape[0]) * x)[::-2], [(bytes_of(9),)]),
    "linspace": (lambda m, a, b: m.linspace(a, b, 7), [(np.float32(-1), np.float32(2)), (np.float32(5),) * 2]),
    "linspace-open": (lambda m, a, b: m.linspace(a, b, 4, endpoint=False), [(floats(3), np.float32(1))]),
    "linspace-double": (lambda m, a, b: m.linspace(a, b, 11), [(np.float64(0.1), np.float64(0.7))]),
    "linspace-whole": (lambda m, a: m.linspace(a, 17, 6, dtype=np.int16), [(np.float64(-5),), (np.float64(2.9),)]),
    "linspace-rows": (lambda m, a, b: m.linspace(a, b, 3), [(bytes_of(3).astype(np.float64), np.ones((2, 1)))]),
    "linspace-one": (lambda m, a: m.linspace(a, 3.0, 1), [(np.float64(2),)]),
    "linspace-none": (lambda m, a: m.linspace(a, 3.0, 0), [(np.float64(2),)]),
    "linspace-far": (lambda m, a: m.linspace(a, 5e-324, 3), [(np.float64(0),)]),
    "grid": (lambda m, x, y: m.meshgrid(x, y), [(floats(3), bytes_of(2)), (floats(1), bytes_of(0))]),
    "grid-indices": (lambda m, x, y, z: m.meshgrid(x, y, z, indexing="ij"), [(floats(3), truths(2), bytes_of(4))]),
    "grid-three": (lambda m, x, y, z: m.meshgrid(x, y, z), [(floats(3), truths(2), bytes_of(4))]),
    "grid-one": (lambda m, x: m.meshgrid(x), [(floats(3),), (floats(1),)]),
    "moveaxis": (lambda m, x: m.moveaxis(x, 0, -1), [(floats(2, 3, 4),), (floats(1, 0, 2),)]),
    "moveaxis-several": (lambda m, x: m.moveaxis(x, (0, -1), (1, 0)), [(bytes_of(2, 3, 4),), (bytes_of(2, 1, 3),)]),
    "flip": (lambda m, x: m.flip(x), [*ROWS, (floats(1, 1),)]),
    "flip-axis": (lambda m, x: m.flip(x, -1), [(truths(2, 3),), (truths(1, 1),)]),
    "flip-axes": (lambda m, x: m.flip(x, (0, 2)), [(bytes_of(2, 3, 4),), (bytes_of(1, 2, 3),)]),
    "flip-number": (lambda m, x: m.flip(x), [(np.float32(2),)]),
    "roll": (lambda m, x: m.roll(x, 5), [(r,) for (r,) in ROWS]),
    "roll-axis": (lambda m, x: m.roll(x, -1, axis=0), [(r,) for (r,) in ROWS]),
    "roll-axes": (lambda m, x: m.roll(x, (1, -7), axis=(0, -1)), [(truths(2, 3),), (truths(1, 4),)]),
    "roll-by-one-number": (lambda m, x: m.roll(x, 2, axis=(0, 1)), [(bytes_of(3, 5),)]),
    "roll-twice": (lambda m, x: m.roll(x, (1, 2), axis=0), [(bytes_of(4, 2),)]),
    "roll-argument": (lambda m, x, n: m.roll(x, n, axis=1), [(floats(2, 5), 3), (floats(2, 5), -8), (floats(2, 1), 1)]),
    "tile": (lambda m, x: m.tile(x, 3), [*ROWS, (floats(1, 1),)]),
    "tile-more": (lambda m, x: m.tile(x, (2, 1, 3)), [(truths(2, 3),), (truths(4, 1),)]),
    "tile-fewer": (lambda m, x: m.tile(x, (2,)), [(bytes_of(2, 3, 2),)]),
    "tile-none": (lambda m, x: m.tile(x, (0, 2)), [(bytes_of(2, 3),)]),
    "tile-number": (lambda m, x: m.tile(x, (2, 2)), [(np.float32(2),)]),
    "repeat": (lambda m, x: m.repeat(x, 3), [*ROWS, (floats(1, 1),)]),
    "repeat-axis": (lambda m, x: m.repeat(x, 2, axis=-2), [(truths(2, 3),), (truths(1, 0),)]),
    "repeat-none": (lambda m, x: m.repeat(x, 0, axis=0), [(bytes_of(2, 3),)]),
    "repeat-number": (lambda m, x: m.repeat(x, 4), [(np.float32(2),)]),
    "split": (lambda m, x: m.split(x, 3), [(floats(6, 2),), (floats(3, 1),), (floats(0, 2),)]),
    "split-axis": (lambda m, x: m.split(x, 2, axis=-1), [(truths(3, 4),), (truths(1, 2),)]),
    "diff": (lambda m, x: m.diff(x), [(floats(3, 4),), (floats(2, 1),)]),
    "diff-axis": (lambda m, x: m.diff(x, axis=0), [(bytes_of(5, 2),), (bytes_of(1, 3),)]),
    "diff-truths": (lambda m, x: m.diff(x, axis=0), [(truths(5, 2),)]),
    "diff-twice": (lambda m, x: m.diff(x, n=2), [(floats(3, 4),), (floats(2, 2),)]),
    "diff-too-often": (lambda m, x: m.diff(x, n=3), [(floats(2),)]),
    "diff-not": (lambda m, x: m.diff(x, n=0), [(floats(2),)]),
    "diff-of-none": (lambda m, x: m.diff(x), [(floats(0),)]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_interpreted(name: str):
    agree(CASES[name])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_compiled():
    agree_compiled(CASES)


@pytest.mark.parametrize(
    ("stop", "num", "dtype"),
    [(1, 5, "float32"), (1, 5, "float16"), (0.7, 5, "float64"), (2**53 + 2, 2, "int64"), (1, 3, "bool")],
)
def test_numbers_of_literals(stop: Any, num: int, dtype: str):
    found = hologram.jit(lambda: ops.linspace(0, stop, num, dtype=np.dtype(dtype))).interpret()
    same(found, np.linspace(0, stop, num, dtype=dtype))


def test_numbers_of_literals_are_f32():
    same(ops.linspace(0, 1, 5), np.linspace(0, 1, 5, dtype=np.float32))


def test_a_size_is_a_number_of_elements():
    made = hologram.jit(lambda x: ops.linspace(0.0, 1.0, x.shape[0]))
    for n in (2, 3, 9):
        same(made.interpret(floats(n)), np.linspace(0, 1, n, dtype=np.float32), 1e-7)


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "int8"])
def test_one_hot(dtype: str):
    index = np.array([[0, 2], [3, 1], [127, 4]], dtype)
    expected = (index[..., None] == np.arange(4)).astype(np.float32)
    made = hologram.jit(lambda x, n: ops.one_hot(x, n))
    same(made.interpret(index, 4), expected)
    same(made.interpret(index[:1], 3), expected[:1, :, :3])
    none = hologram.jit(lambda x: ops.one_hot(x, 2, "bool")).interpret(np.array(-1).astype(dtype))
    same(none, np.zeros(2, bool))


def test_known_sizes():
    x = floats(3, 4)
    same(hologram.jit(lambda: ops.flip(ops.roll(x, (1, -5), (0, 1)))).interpret(), np.flip(np.roll(x, (1, -5), (0, 1))))
    empty = floats(0, 4)
    same(hologram.jit(lambda: ops.flip(ops.roll(empty, 2, 0), 0)).interpret(), empty)
