"""Eigenvalues and singular values by Jacobi's rotations.

A sweep rotates each two rows once. It is a round-robin: in each round half of the rows meet the other half, and all
pairs are rotated at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import control, math, matrices, memory, order, reduce
from hologram.frontend.tensors.ops.arrange import number
from hologram.frontend.tensors.ops.linalg.reflections import directions, reflected
from hologram.frontend.tensors.ops.linalg.stacks import (
    EPSILON,
    Stack,
    column,
    line,
    row,
    scaled,
    squares,
    stacked,
    taken,
    unit,
)
from hologram.frontend.tensors.ops.memory import reshaped
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.support import ONE, broadcast, operation, settled, trace, typed

SWEEPS = 60
"""How many sweeps there are at most: about ten are enough, and more where many values are nearly equal."""
TWO = Size.of(2)


def _partners(size: Size, turn: Any) -> Any:
    """The row that each row meets in a round: i and j with i + j = turn modulo the number of rounds. One that would
    meet itself meets the last row where the number of rows is even, else none, which is itself."""
    at, rounds = line(size), number(_rounds(size))
    apart = turn - at
    other = math.where(apart < 0, apart + rounds, apart)
    last = math.where(math.less(rounds, number(size)), rounds, at)
    alone = (turn + turn % 2 * rounds) // 2
    return math.where(math.equal(at, rounds), alone, math.where(math.equal(other, at), last, other))


def _rounds(size: Size) -> Size:
    """The number of rounds of a sweep."""
    return (size + ONE) // TWO * TWO - ONE


def _sweeps(size: Size, start: Any, goes_on: Callable[[Any], Any], turn: Callable[[Any, Any], Any]) -> Any:
    """What the rounds of sweeps make of a start, as long as it goes on, and `SWEEPS` at most."""

    def sweep(carried: Any) -> Any:
        done, value = carried
        return done + 1, control.fori_loop(0, number(_rounds(size)), turn, value)

    def test(carried: Any) -> Any:
        done, value = carried
        return math.bit_and(done < SWEEPS, goes_on(value))

    return control.while_loop(test, sweep, (0, start))[1]


def _directions(power: Any, size: Size) -> Any:
    """The directions of the axes, as rows, for each matrix of a stack that has a power; NaN where that is."""
    one = unit(size, size, power.dtype)
    return math.where(math.isnan(power), power, broadcast(one, (power.along(0), size, size)))


class _Rotations(NamedTuple):
    """The rotations of a round: each row with the one that it meets."""

    met: Any
    """The row that each one meets."""
    tangent: Any
    """The tangents of the angles; those of two rows that meet have opposite signs."""
    other: Any
    """The product with itself of the row that each one meets."""
    is_exchanged: Any
    """Whether a row takes the place of the one that it meets, so that the greater of the two comes first."""

    @staticmethod
    def of(met: Any, own: Any, both: Any) -> _Rotations:
        """The rotations that make the products of rows that meet 0, of those of each row with itself and of both."""
        at = line(own.along(1))
        other = memory.gather(own, met, 1)
        is_done = math.bit_or(math.equal(both, 0), math.equal(at, met))
        slope = (other - own) * 0.5 / math.where(is_done, 1, both)
        size = math.where(is_done, 0, 1 / (math.abs(slope) + math.sqrt(1 + slope * slope)))
        is_above = math.where(math.equal(slope, 0), at < met, slope > 0)
        is_less = math.where(at < met, own < other, math.bit_and(at > met, own > other))
        return _Rotations(met, math.where(is_above, size, -size), other, is_less)

    def of_rows(self, value: Any, axis: int = 1) -> Any:
        """The rows of a stack, rotated; or the columns, along axis 2."""
        wide = column if axis == 1 else row
        sine = self.tangent / math.sqrt(1 + self.tangent * self.tangent)
        half = self.tangent / (1 + math.sqrt(1 + self.tangent * self.tangent))
        other = memory.gather(value, self.met, axis)
        is_exchanged = wide(self.is_exchanged)
        first, second = math.where(is_exchanged, other, value), math.where(is_exchanged, -value, other)
        # As accurate as the angle is small: what does not turn stays as it is.
        return first - wide(sine) * (second + wide(half) * first)


@operation
def eigh(a: Any, UPLO: str = "L") -> Any:
    """The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, as columns of length 1.

    The lower triangle alone is read, or with UPLO "U" the upper one. Of a matrix that holds a NaN or an infinity there
    all results are NaN.
    """
    stack = squares(memory.swapaxes(a, -1, -2) if _is_upper(UPLO) else a)
    values, vectors = _diagonalised(stack, True)
    places = order.argsort(values, 1)
    sorted = reshaped(taken(column(values), places), settled(values))
    return stack.given(sorted), stack.given(memory.swapaxes(taken(vectors, places), 1, 2))


@operation
def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    """The eigenvalues of a symmetric matrix, ascending, as `eigh` gives them."""
    stack = squares(memory.swapaxes(a, -1, -2) if _is_upper(UPLO) else a)
    return stack.given(order.sort(_diagonalised(stack, False)[0], 1))


def _is_upper(triangle: str) -> bool:
    if triangle not in ("L", "U"):
        fault("jit-triangle", f"there is no triangle {triangle!r}", 'UPLO is "L", the lower one, or "U"')
    return triangle == "U"


def _diagonalised(stack: Stack, has_vectors: bool) -> tuple[Any, Any]:
    """The eigenvalues of a stack of symmetric matrices, of which the lower triangles are read, and the eigenvectors as
    rows."""
    lower = matrices.tril(stack.value)
    value, power = scaled(lower + memory.swapaxes(matrices.tril(stack.value, -1), 1, 2))
    count, size, _ = settled(value)
    at = line(size)
    is_diagonal = math.equal(column(at), at)
    start = (value, _directions(power, size)) if has_vectors else (value,)

    def goes_on(carried: Any) -> Any:
        is_far = math.bit_and(math.abs(carried[0]) > EPSILON[value.dtype], math.not_equal(column(at), at))
        return reduce.max(math.cast(is_far, value.dtype)) > 0

    def turn(k: Any, carried: Any) -> Any:
        a, *vectors = carried
        met = _partners(size, k)
        own = matrices.diagonal(a, 0, 1, 2)
        place = math.maximum(at, met) * number(size) + math.minimum(at, met)
        both = memory.gather(reshaped(a, (count, size * size)), place, 1)
        rotations = _Rotations.of(met, own, both)
        zeroed = math.where(math.equal(at, column(met)), 0, rotations.of_rows(rotations.of_rows(a), 2))
        less = rotations.tangent * both
        values = math.where(rotations.is_exchanged, rotations.other + less, own - less)
        return math.where(is_diagonal, column(values), zeroed), *map(rotations.of_rows, vectors)

    made, *vectors = _sweeps(size, start, goes_on, turn)
    return matrices.diagonal(made, 0, 1, 2) * column(reshaped(power, (count,))), vectors[0] if vectors else None


@operation
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """u, s and vh with u diag(s) vh = a: columns and rows that are orthogonal and of length 1, and the singular values,
    descending.

    u and vh are square, or without `full_matrices` have min(m, n) columns and rows. Without `compute_uv` it is s alone.
    Of a matrix that holds a NaN or an infinity all results are NaN.
    """
    stack = stacked(a)
    is_wide = trace().facts.holds(stack.rows, "<", stack.columns)
    tall = stack.value if is_wide else memory.swapaxes(stack.value, 1, 2)
    value, power = scaled(tall)
    count, size, length = settled(value)
    rows: Any
    rows, *right = _orthogonalised(value, [_directions(power, size)] if compute_uv else [])
    lengths = math.sqrt(reduce.sum(rows * rows, 2))
    if not compute_uv:
        return stack.given(order.sort(lengths * reshaped(power, (count, ONE)), 1, True))
    places = order.argsort(lengths, 1, True)
    lengths: Any = reshaped(taken(column(lengths), places), (count, size))
    safe = math.where(math.equal(lengths, 0), 1, lengths)
    left = _completed(taken(rows, places) / column(safe), length if full_matrices else size)
    turned = taken(right[0], places)
    s = stack.given(lengths * reshaped(power, (count, ONE)))
    u, vh = (memory.swapaxes(turned, 1, 2), left) if is_wide else (memory.swapaxes(left, 1, 2), turned)
    return stack.given(u), s, stack.given(vh)


@operation
def svdvals(a: Any) -> Any:
    """The singular values of a matrix, descending, as `svd` gives them."""
    return svd(a, compute_uv=False)


def _orthogonalised(value: Any, turns: Sequence[Any]) -> tuple[Any, ...]:
    """The rows of a stack, rotated until they are orthogonal, and what the same rotations make of other rows."""
    count, size, length = settled(value)
    at = line(size)
    near = EPSILON[value.dtype] * math.sqrt(trace().size_number(length, value.dtype))
    # The square of a length that is no more than the rounding of the others.
    least = EPSILON[value.dtype] ** 4

    def turn(k: Any, carried: Any) -> Any:
        far, rows, *_ = carried
        met = _partners(size, k)
        own, both = reduce.sum(rows * rows, 2), reduce.sum(rows * memory.gather(rows, met, 1), 2)
        rotations = _Rotations.of(met, own, both)
        is_far = math.abs(both) > near * math.sqrt(own) * math.sqrt(rotations.other)
        counts = math.bit_and(math.minimum(own, rotations.other) > least, math.not_equal(at, met))
        far = math.where(math.bit_and(is_far, counts), 1, math.where(math.equal(k, 0), 0, far))
        return far, *map(rotations.of_rows, carried[1:])

    start = (broadcast(typed(1, value.dtype), (count, size)), value, *turns)
    return _sweeps(size, start, lambda carried: reduce.max(carried[0]) > 0, turn)[1:]


def _completed(rows: Any, kept: Size) -> Any:
    """Rows that are orthogonal and of length 1 or 0, with others in place of those of 0 and below them."""
    made, scales = reflected(rows)
    count, size, _ = settled(rows)
    ends = math.where(matrices.diagonal(made, 0, 1, 2) < 0, -1, 1).astype(rows.dtype)
    rest = broadcast(typed(1, rows.dtype), (count, trace().facts.settled(kept - size)))
    return directions(made, scales, kept) * column(memory.concat([ends, rest], 1))
