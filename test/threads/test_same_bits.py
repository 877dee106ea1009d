"""Results have the same bits for any number of threads."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hologram
from fuzz import lane_programs, tensor_programs
from hologram.errors import TrapError
from hologram.runtime.devices.cpu.pool import Pool

NUMBERS = (1, 2, 3, 7)
TENSOR_PROGRAMS, LANE_PROGRAMS = 24, 16

Array = np.ndarray[Any, np.dtype[Any]]
ROWS = np.random.default_rng(3).standard_normal((301, 777)).astype(np.float32)


class Seeded:
    """The decisions of a random program, by its number."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        return self._random.randint(low, high)


def bits(run: Callable[[], Any]) -> list[bytes] | str:
    """The results as bytes; for a trap, a word."""
    try:
        found: Any = run()
    except TrapError:
        return "trap"
    results: tuple[Any, ...] = found if isinstance(found, tuple) else (found,)  # pyright: ignore[reportUnknownVariableType]
    return [np.asarray(a).tobytes() for a in results]


def check(run: Callable[[], Any], text: str) -> None:
    found: list[list[bytes] | str] = []
    for number in NUMBERS:
        hologram.set_num_threads(number)
        found.append(bits(run))
    assert all(other == found[0] for other in found[1:]), text


@pytest.mark.parametrize("seed", range(TENSOR_PROGRAMS))
def test_tensor_programs(seed: int, eager: Pool):
    program = tensor_programs.build(Seeded(seed))
    kernel = hologram.compile(program.text, cache=False, opt_level=1)
    check(lambda: kernel(*program.arguments), program.text)


@pytest.mark.parametrize("seed", range(LANE_PROGRAMS))
def test_lane_programs(seed: int, eager: Pool):
    program = lane_programs.build(Seeded(seed))
    kernel = hologram.compile(program.text, cache=False, opt_level=1)

    def run() -> tuple[Array, ...]:
        arrays = [a.copy() for a in program.arguments]
        kernel(*arrays)
        return tuple(arrays)

    check(run, program.text)


@pytest.mark.parametrize(
    "operation",
    [
        "reduce sum %x {axes = [1 : i64]} : tensor<?x?xf32> to tensor<?xf32>",
        "reduce sum %x {axes = [0 : i64]} : tensor<?x?xf32> to tensor<?xf32>",
        "reduce sum %x {axes = [0 : i64, 1 : i64]} : tensor<?x?xf32> to tensor<f32>",
        "softmax %x {axis = 1 : i64} : tensor<?x?xf32>",
    ],
)
def test_rows(operation: str, eager: Pool):
    result = operation.rpartition(" ")[2]
    text = f"func.func @main(%x: tensor<?x?xf32>) -> {result} {{\n  %r = hologram.{operation}\n"
    text += f"  func.return %r : {result}\n}}"
    kernel = hologram.compile(text, cache=False)
    for shape in ((0, 7), (1, 777), (301, 1), (301, 777)):
        x = ROWS[: shape[0], : shape[1]].copy()
        check(lambda x=x: kernel(x), text)


@pytest.mark.parametrize("size", [0, 1, 2, 31, 8191, 8192, 8193, 100_003])
def test_maps(size: int, eager: Pool):
    text = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %p = hologram.mul %a, %b : tensor<?xf32>
  %r = hologram.exp %p : tensor<?xf32>
  func.return %r : tensor<?xf32>
}"""
    kernel = hologram.compile(text, cache=True)
    a, b = np.random.default_rng(size).standard_normal((2, size)).astype(np.float32)
    if size > 30:
        a[7], a[11], b[13] = np.nan, np.inf, -np.inf
    check(lambda: kernel(a, b), text)
    # Views that begin anywhere.
    check(lambda: kernel(a[1:], b[1:]), text)
