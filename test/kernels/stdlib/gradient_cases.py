"""The rows of kernels/stdlib/gradient."""

# References are functions of as many arguments as their kernels have.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

from __future__ import annotations

from typing import Any

import numpy as np

from kernels.stdlib.cases import FLOATS, LINES, Array, Draw, Row
from kernels.stdlib.loss_cases import SUMS
from kernels.stdlib.norm_cases import MATRICES

PRODUCTS = ((0, 3, 2), (3, 0, 2), (2, 3, 0), (1, 1, 1), (3, 5, 7), (64, 16, 64), (65, 17, 70), (130, 33, 64))


def softmax_arguments(on: Draw, rows: int, n: int) -> list[Any]:
    """Gradients, and rows that sum to 1."""
    y = np.exp(on.array(rows, n).astype(np.float64))
    y = y / y.sum(1, keepdims=True) if n else y
    return [on.array(rows, n), y.astype(on.array(1).dtype), on.blank(rows, n)]


def softmax_scale(grad: Array, y: Array, _: Array) -> Array:
    return np.abs(y) * (np.abs(grad) + np.abs(grad * y).sum(1, keepdims=True))


def left(on: Draw, m: int, n: int, k: int) -> list[Any]:
    return [on.array(m, n), on.array(k, n), on.blank(m, k)]


def right(on: Draw, m: int, n: int, k: int) -> list[Any]:
    return [on.array(m, n), on.array(m, k), on.blank(k, n)]


ROWS = [
    Row("gradient/add_backward", lambda on, n: [on.spread(n), on.blank(n), on.blank(n)],
        lambda grad, a, b: (grad, grad), LINES, FLOATS, (1, 2)),
    Row("gradient/mul_backward",
        lambda on, n: [on.spread(n), on.spread(n, turn=5), on.array(n), on.blank(n), on.blank(n)],
        lambda grad, a, b, grad_a, grad_b: (grad * b, grad * a), LINES, FLOATS, (3, 4)),
    Row("gradient/relu_backward", lambda on, n: [on.array(n), on.spread(n), on.blank(n)],
        lambda grad, x, out: np.where(x > 0, grad, 0), LINES, FLOATS),
    Row("gradient/sigmoid_backward", lambda on, n: [on.array(n), on.uniform(0, 1, n), on.blank(n)],
        lambda grad, y, out: grad * (y * (1 - y)), LINES, FLOATS, ulps=2.0),
    Row("gradient/softmax_backward", softmax_arguments,
        lambda grad, y, out: y * (grad - (grad * y).sum(1, keepdims=True)), MATRICES, FLOATS, ulps=SUMS,
        scale=softmax_scale),
    Row("gradient/matmul_backward", left, lambda grad, rhs, out: grad @ rhs.T, PRODUCTS, FLOATS,
        name="matmul_backward_lhs", ulps=SUMS, scale=lambda grad, rhs, out: np.abs(grad) @ np.abs(rhs).T),
    Row("gradient/matmul_backward", right, lambda grad, lhs, out: lhs.T @ grad, PRODUCTS, FLOATS,
        name="matmul_backward_rhs", ulps=SUMS, scale=lambda grad, lhs, out: np.abs(lhs).T @ np.abs(grad)),
]  # fmt: skip
