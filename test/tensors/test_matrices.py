"""The identity, triangles, diagonals, traces, Kronecker and cross products, against numpy."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from hologram import ops
from tensor_agreement import Case, agree, agree_compiled, same

MOST = 6
"""How far from the main diagonal one is taken."""


def floats(*shape: int) -> Any:
    numbers = np.arange(int(np.prod(shape)), dtype=np.float32) * 0.75 - 3
    numbers[::5] = np.inf
    return numbers.reshape(shape)


def wholes(*shape: int) -> Any:
    return (np.arange(int(np.prod(shape))) * 37 % 251 - 100).astype(np.int64).reshape(shape)


def truths(*shape: int) -> Any:
    return (np.arange(int(np.prod(shape))) % 3 == 0).reshape(shape)


MATRICES = [(floats(3, 4),), (floats(3, 5),), (floats(6, 8)[::2, ::-2],)]
CASES: dict[str, Case] = {
    "tril": (lambda m, x: m.tril(x), [*MATRICES, (floats(5, 2),), (floats(1, 1),), (floats(0, 3),)]),
    "tril-above": (lambda m, x: m.tril(x, 1), [(truths(2, 3, 4),), (truths(1, 4, 2),)]),
    "triu": (lambda m, x: m.triu(x, -1), [*MATRICES, (floats(5, 2),), (floats(1, 1),), (floats(3, 0),)]),
    "triu-argument": (lambda m, x, k: m.triu(x, k), [(wholes(3, 4), 1), (wholes(3, 4), -2), (wholes(2, 2), 9)]),
    "diagonal": (lambda m, x: m.diagonal(x), MATRICES),
    "diagonal-axes": (lambda m, x: m.diagonal(x, 1, 2, -3), [(wholes(3, 2, 4),), (wholes(2, 5, 4),)]),
    "diag-vector": (lambda m, x: m.diag(x), [(floats(3),), (floats(1),), (floats(0),)]),
    "diag-vector-below": (lambda m, x: m.diag(x, -2), [(truths(3),), (truths(1),)]),
    "diag-vector-above": (lambda m, x: m.diag(x, 1), [(wholes(3),), (wholes(1),)]),
    "diag-matrix": (lambda m, x: m.diag(x, 1), [(wholes(3, 4),)]),
    "trace": (lambda m, x: m.trace(x), [(wholes(3, 4),), (wholes(4, 4),)]),
    "trace-narrow": (lambda m, x: m.trace(x), [(wholes(3, 3).astype(np.int8),), (wholes(2, 9).astype(np.int8),)]),
    "trace-axes": (lambda m, x: m.trace(x, -1, -1, 0), [(wholes(3, 2, 4),)]),
    "kron": (lambda m, a, b: m.kron(a, b), [(wholes(2, 3), wholes(4, 1)), (wholes(1, 1), wholes(2, 0))]),
    "kron-ranks": (lambda m, a, b: m.kron(a, b), [(wholes(2, 3), wholes(2, 1, 2)), (wholes(3, 1), wholes(1, 2, 2))]),
    "kron-truths": (lambda m, a, b: m.kron(a, b), [(truths(2, 3), truths(2)), (truths(1, 2), truths(3))]),
    "kron-number": (lambda m, a, b: m.kron(a, b), [(np.float32(2), floats(2, 2)), (np.float32(2), floats(3, 1))]),
    "cross": (lambda m, a, b: m.cross(a, b), [(floats(4, 3), floats(4, 3)[::-1]), (floats(2, 3), floats(2, 3)[::-1])]),
    "cross-axis": (lambda m, a, b: m.cross(a, b, axis=0), [(wholes(3, 4), wholes(3, 4)[::-1])]),
    "cross-spread": (lambda m, a, b: m.cross(a, b), [(wholes(2, 3), wholes(3)), (wholes(5, 3), wholes(3))]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_interpreted(name: str):
    agree(CASES[name])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_compiled():
    agree_compiled(CASES)


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
def test_eye(dtype: str):
    made = hologram.jit(lambda n, m, k: ops.eye(n, m, k, dtype=np.dtype(dtype)))
    for n, m, k in ((3, 3, 0), (2, 4, 1), (4, 2, -1), (1, 1, 3), (0, 2, 0), (3, 5, -7)):
        same(made.interpret(n, m, k), np.eye(n, m, k, dtype))
    assert sum(map(len, made._programs)) == 1
    same(hologram.jit(lambda: ops.eye(3)).interpret(), np.eye(3, dtype=np.float32))


@pytest.mark.parametrize("shape", [(3, 4), (4, 3), (1, 2), (2, 2), (0, 3)])
def test_every_diagonal(shape: tuple[int, int]):
    x = wholes(*shape)
    made, placed = hologram.jit(lambda x, k: ops.diagonal(x, k)), hologram.jit(lambda x, k: ops.diag(x, k))
    for k in range(-MOST, MOST + 1):
        same(made.interpret(x, k), np.diagonal(x, k))
        same(placed.interpret(x[0] if shape[0] else x[:, 0], k), np.diag(x[0] if shape[0] else x[:, 0], k))
