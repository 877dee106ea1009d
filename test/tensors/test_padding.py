"""Tensors with elements around them, against numpy."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from hologram import ops
from tensor_agreement import Case, agree, agree_compiled, same

MODES: tuple[Any, ...] = ("edge", "reflect", "symmetric", "wrap")


def floats(*shape: int) -> Any:
    numbers = np.arange(int(np.prod(shape)), dtype=np.float32) * 0.75 - 3
    numbers[::5] = np.nan
    return numbers.reshape(shape)


def bytes_of(*shape: int) -> Any:
    return (np.arange(int(np.prod(shape))) * 37 % 251).astype(np.uint8).reshape(shape)


def truths(*shape: int) -> Any:
    return (np.arange(int(np.prod(shape))) % 3 == 0).reshape(shape)


WIDTHS: dict[str, Any] = {
    "number": 2, "pair": (1, 3), "one-pair": [(2, 0)], "one-number-in-a-list": [1], "none": 0,
    "pairs": [(1, 2), (0, 3)], "far": [(9, 17), (25, 4)],
}  # fmt: skip
ARRAYS = [(floats(3, 4),), (floats(2, 6),), (floats(8, 10)[::2, ::-2],)]
CASES: dict[str, Case] = {
    f"{mode}-{name}": (lambda m, x, mode=mode, widths=widths: m.pad(x, widths, mode=mode), ARRAYS)
    for mode in ("constant", *MODES)
    for name, widths in WIDTHS.items()
}


@pytest.mark.parametrize("name", CASES)
def test_interpreted(name: str):
    agree(CASES[name])


@pytest.mark.slow
def test_compiled():
    agree_compiled({name: case for name, case in CASES.items() if name.endswith(("-pairs", "-far"))})


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("make", [floats, bytes_of, truths])
def test_small_axes(mode: Any, make: Any):
    made = hologram.jit(lambda x: ops.pad(x, 4, mode=mode))
    for n in (1, 2, 3, 9):
        same(made.interpret(make(n)), np.pad(make(n), 4, mode=mode))


@pytest.mark.parametrize("mode", ["constant", *MODES])
def test_ranks(mode: Any):
    number, cube = np.array(3, np.int16), bytes_of(2, 1, 3)
    assert hologram.jit(lambda x: ops.pad(x, 2, mode=mode)).interpret(number) == number
    padded = hologram.jit(lambda x: ops.pad(x, [(0, 2), (1, 1), (2, 0)], mode=mode)).interpret(cube)
    same(padded, np.pad(cube, [(0, 2), (1, 1), (2, 0)], mode=mode))


def test_the_value_has_the_type_of_the_tensor():
    made = hologram.jit(lambda x, v: ops.pad(x, 1, v))
    same(made.interpret(floats(2), -2.5), np.pad(floats(2), 1, constant_values=-2.5))
    same(made.interpret(bytes_of(0, 2), 7), np.pad(bytes_of(0, 2), 1, constant_values=7))
    same(hologram.jit(lambda x: ops.pad(x, 1, True)).interpret(truths(4)), np.pad(truths(4), 1, constant_values=True))


@pytest.mark.parametrize("mode", MODES)
def test_no_elements(mode: Any):
    made = hologram.jit(lambda x: ops.pad(x, [(0, 0), (1, 1)], mode=mode))
    same(made.interpret(floats(0, 3)), np.pad(floats(0, 3), [(0, 0), (1, 1)], mode=mode))
    with pytest.raises(hologram.InputError, match="has no elements"):
        made.interpret(floats(3, 0))


@pytest.mark.parametrize("mode", ["constant", *MODES])
def test_widths_may_be_sizes(mode: Any):
    made = hologram.jit(lambda x, n: ops.pad(x, [(n, x.shape[0])], mode=mode))
    for n in (1, 3):
        same(made.interpret(bytes_of(3), n), np.pad(bytes_of(3), [(n, 3)], mode=mode))


def test_widths_below_none_are_refused():
    for mode in ("constant", *MODES):
        with pytest.raises(hologram.InputError, match="below 0"):
            hologram.jit(lambda x, mode=mode: ops.pad(x, [(-1, 0)], mode=mode)).interpret(floats(3))


def test_the_value_is_one_number():
    made = hologram.jit(lambda x, v: ops.pad(x, 1, v))
    same(made.interpret(floats(2), np.float64(4)), np.pad(floats(2), 1, constant_values=4))
    with pytest.raises(hologram.InputError, match="the value around a tensor: 0 axes"):
        made.interpret(floats(2), floats(2))
    with pytest.raises(hologram.InputError, match="'str' is no tensor"):
        made.interpret(floats(2), "edge")
