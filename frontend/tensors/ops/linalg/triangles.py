"""Triangular matrices: systems of them, and Cholesky's factor."""

from __future__ import annotations

from typing import Any

from hologram.frontend.tensors.ops import control, math, matrices, memory, reduce
from hologram.frontend.tensors.ops.arrange import number
from hologram.frontend.tensors.ops.linalg.stacks import System, column, line, row, squares
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.support import operation, whole

NAN = float("nan")


@operation
def cholesky(a: Any, upper: bool = False) -> Any:
    """The lower triangular l with l l^T = a, of a symmetric positive definite a whose lower triangle alone is read.

    With `upper` it is u with u^T u = a, of the upper triangle. Where a is not positive definite the triangle is NaN.
    """
    stack = squares(memory.swapaxes(a, -1, -2) if upper else a)
    at = line(stack.rows)

    def step(k: Any, a: Any) -> Any:
        pivot = a[:, k][:, k]
        root = math.where(pivot > 0, math.sqrt(pivot), NAN)
        own = math.where(at >= k, a[:, :, k] / column(root), 0)
        rest = math.where(at > k, a - column(own) * row(own), a)
        return math.where(math.equal(at, k), column(own), rest)

    made = control.fori_loop(0, number(stack.rows), step, stack.value)
    is_unmade = math.isnan(reduce.max(matrices.diagonal(made, 0, 1, 2), 1))
    lower = matrices.tril(math.where(column(column(is_unmade)), NAN, made))
    return stack.given(memory.swapaxes(lower, 1, 2) if upper else lower)


TRANSPOSED = {0: False, 1: True, 2: True, "N": False, "T": True, "C": True}
"""Whether a value of `trans` means the transposed matrix, as in LAPACK."""


@operation
def solve_triangular(a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False) -> Any:
    """The x with a x = b, where a is upper triangular, or `lower`; the other triangle is not read.

    With `trans` 1 or "T" it is a^T x = b. With `unit_diagonal` the diagonal is not read either, and is all ones. b is a
    vector, or a matrix or a batch of them, as in `solve`; where an element of the diagonal is 0 x has infinities or
    NaN.
    """
    kind = trans if isinstance(trans, str) else whole(trans, "trans")
    if kind not in TRANSPOSED:
        fault("jit-trans", f"there is no system of kind {kind!r}", 'trans is 0 or "N" for a, 1 or "T" for a^T')
    turned = TRANSPOSED[kind]
    system = System.of(memory.swapaxes(a, -1, -2) if turned else a, b)
    return system.given(substituted(system.left.value, system.right.value, lower != turned, unit_diagonal))


def substituted(a: Any, b: Any, lower: bool, unit_diagonal: bool = False) -> Any:
    """The solutions of the systems of a stack of triangular matrices."""
    size = a.along(1)
    at = column(line(size))
    last = number(size) - 1

    def step(n: Any, x: Any) -> Any:
        k = n if lower else last - n
        own = x[:, k] if unit_diagonal else x[:, k] / column(a[:, k][:, k])
        left = x - column(a[:, :, k]) * row(own)
        return math.where(math.equal(at, k), row(own), math.where(at > k if lower else at < k, left, x))

    return control.fori_loop(0, number(size), step, b)
