"""Systems of linear equations by Gauss's elimination with partial pivoting, and what comes of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from hologram.frontend.tensors.ops import control, math, matrices, reduce
from hologram.frontend.tensors.ops.arrange import ZERO, number
from hologram.frontend.tensors.ops.linalg.stacks import System, column, line, row, squares, taken, unit
from hologram.frontend.tensors.ops.linalg.triangles import substituted
from hologram.frontend.tensors.trace.support import broadcast, operation, settled, trace, typed


class Eliminated(NamedTuple):
    """What the elimination makes of a stack of matrices."""

    upper: Any
    """The upper triangular matrices; what stands below the diagonal means nothing."""
    sign: Any
    """1 of each matrix whose rows were exchanged an even number of times, else -1."""
    right: Any
    """What the same steps make of the right-hand sides."""


def eliminated(a: Any, *rights: Any) -> Eliminated:
    """Eliminates what stands below the diagonals of a stack of matrices: the greatest element is the pivot."""
    count, size, _ = settled(a)
    at, start = line(size), broadcast(typed(1, a.dtype), (count,))
    if trace().facts.holds(size, "==", ZERO):
        return Eliminated(a, start, rights[0] if rights else None)

    def step(k: Any, carried: tuple[Any, ...]) -> tuple[Any, ...]:
        sign, a, *rest = carried
        below = a[:, :, k]
        place = math.cast(reduce.argmax(math.where(at >= k, math.abs(below), -1), 1), "i64")
        chosen, other = taken(below[:, :, None], place)[:, 0], below[:, k]
        exchanged = math.where(math.equal(at, column(place)), column(other), below)
        factor = math.where(math.bit_and(at > k, math.not_equal(column(chosen), 0)), exchanged / column(chosen), 0)
        changed = [_reduced(v, at, k, place, factor) for v in (a, *rest)]
        return math.where(math.equal(place, k), sign, -sign), *changed

    sign, upper, *rest = control.fori_loop(0, number(size), step, (start, a, *rights))
    return Eliminated(upper, sign, rest[0] if rest else None)


def _reduced(value: Any, at: Any, k: Any, place: Any, factor: Any) -> Any:
    """Rows of a stack with row k and the pivot's exchanged, less multiples of the pivot's."""
    pivot, other = row(taken(value, place)), row(value[:, k])
    at = column(at)
    rows = math.where(math.equal(at, k), pivot, math.where(math.equal(at, column(column(place))), other, value))
    return rows - column(factor) * pivot


@operation
def solve(a: Any, b: Any) -> Any:
    """The x with a x = b, by elimination with partial pivoting.

    b is a vector if it has one axis, else a matrix or a batch of them, each column a vector; batches broadcast. Where a
    is singular x has infinities or NaN.
    """
    system = System.of(a, b)
    made = eliminated(system.left.value, system.right.value)
    return system.given(substituted(made.upper, made.right, lower=False))


@operation
def inv(a: Any) -> Any:
    """The inverse of a matrix, or of each of a batch; infinities or NaN where it is singular."""
    stack = squares(a)
    count, size, _ = settled(stack.value)
    one = broadcast(unit(size, size, stack.value.dtype), (count, size, size))
    made = eliminated(stack.value, one)
    return stack.given(substituted(made.upper, made.right, lower=False))


@operation
def det(a: Any) -> Any:
    """The determinant of a matrix, or of each of a batch; 1 of a matrix without elements."""
    stack = squares(a)
    made = eliminated(stack.value)
    return stack.given(_unsigned_zero(made.sign * reduce.prod(_pivots(made), 1)))


@operation
def slogdet(a: Any) -> Any:
    """The sign of the determinant, or 0, and the logarithm of its magnitude, which is -inf where it is 0."""
    stack = squares(a)
    made = eliminated(stack.value)
    pivots = _pivots(made)
    sign = made.sign * reduce.prod(math.sign(pivots), 1)
    return stack.given(_unsigned_zero(sign)), stack.given(reduce.sum(math.log(math.abs(pivots)), 1))


def _unsigned_zero(value: Any) -> Any:
    """Numbers with 0 in the place of -0."""
    return math.where(math.equal(value, 0), 0, value)


def _pivots(made: Eliminated) -> Any:
    return matrices.diagonal(made.upper, 0, 1, 2)
