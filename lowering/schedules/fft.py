"""The CPU schedule of `atlas.fft`.

Powers of two from 256 on are cut into n1 x n2: transforms of the columns, as many at a time as a vector has lanes, a
turn by powers of the root, and transforms of the rows; blocks are transposed in registers between. Other lengths take
Stockham's stages line by line, and those with a prime above 13 are a convolution (Bluestein).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import arith, memref
from xdsl.dialects import vector as xdsl_vector
from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.arrays import element_type
from hologram.dialects.atlas.fourier import FftOp
from hologram.dialects.atlas.types import DType, dtype_of
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder, Index, is_dense
from hologram.lowering.schedules.fft_stages import LARGEST, Complex, Fourier, radices
from hologram.lowering.schedules.vectors import Vectors

LONG = 1 << 15
"""From here on the parts of one transform run in parallel, not the transforms of a batch."""


@dataclass(frozen=True)
class FftParameters:
    """`square`: the least power of two that is cut in two."""

    square: int = 256


def schedule_fft(b: Builder, op: FftOp, target: Target, parameters: FftParameters) -> None:
    """The transforms of a batch in parallel, or the parts of long ones."""
    x, y = (b.rw.value(v) for v in (op.ins[0], op.outs[0]))
    dtype, n = dtype_of(element_type(x.type)), op.length
    assert dtype is not None
    lanes = max(2, target.vector_bytes * 8 // dtype.bits)
    fourier = Fourier(b, dtype)
    is_square = n & (n - 1) == 0 and n >= max(parameters.square, lanes * lanes) and is_dense(x) and is_dense(y)
    batch = b.sizes(x)[:-2]
    if is_square and n >= LONG:
        with b.loops(batch, name="batch") as place:
            _Square(fourier, lanes, op, x, y).emit(place)
        return
    with b.parallel(batch, name="batch") as place:
        if is_square:
            _Square(fourier, lanes, op, x, y).emit(place)
        else:
            _line(fourier, op, x, y, place)


def _planes(b: Builder, dtype: DType, size: int) -> Complex:
    """Memory for real and imaginary parts."""
    real, imaginary = (b.op(memref.AllocOp.get(dtype.ir, 64, [size])) for _ in range(2))
    return real, imaginary


def _free(b: Builder, *planes: Complex) -> None:
    for plane in planes:
        for part in plane:
            b.rw.emit(memref.DeallocOp.get(part))


# Line by line


def _line(fourier: Fourier, op: FftOp, x: SSAValue, y: SSAValue, place: Sequence[Index]) -> None:
    """One transform in planes. An inverse one has real and imaginary parts swapped, before and after."""
    b, n = fourier.b, op.length
    real, imaginary = (1, 0) if op.is_inverse else (0, 1)
    size, is_long = n, max(radices(n), default=1) > LARGEST
    if is_long:
        size = 1 << (2 * n - 2).bit_length()
    data, other = _planes(b, fourier.dtype, size), _planes(b, fourier.dtype, size)
    with b.loop(0, n, name="j", vector=True) as j:
        fourier.store((b.load(x, [*place, j, real]), b.load(x, [*place, j, imaginary])), data, j)
    found = _bluestein(fourier, n, size, data, other) if is_long else fourier.lines(n, 1, data, other)
    with b.loop(0, n, name="k", vector=True) as k:
        value = fourier.scaled(fourier.load(found, k), 1 / n if op.is_inverse else 1)
        b.store(value[0], y, [*place, k, real])
        b.store(value[1], y, [*place, k, imaginary])
    _free(b, data, other)


def _bluestein(fourier: Fourier, n: int, size: int, data: Complex, other: Complex) -> Complex:
    """j k = (j^2 + k^2 - (k - j)^2) / 2 makes the transform a convolution with exp(pi i j^2 / n), of length `size`."""
    b, t = fourier.b, fourier.dtype
    zero = b.constant(0.0, t)
    filter, spare = _planes(b, t, size), _planes(b, t, size)

    def chirp(j: Index) -> Complex:
        return fourier.power(2 * n, b.rem(b.mul(j, j), 2 * n))

    with b.loop(0, size, name="j", vector=True) as j:
        fourier.store((zero, zero), filter, j)
    with b.loop(n, size, name="j", vector=True) as j:
        fourier.store((zero, zero), data, j)
    with b.loop(0, n, name="j") as j:
        turn = chirp(j)
        fourier.store(fourier.mul(fourier.load(data, j), turn), data, j)
        back = _conjugate(fourier, turn)
        fourier.store(back, filter, j)
        fourier.store(back, filter, b.rem(b.sub(size, j), size))
    left, right = fourier.lines(size, 1, data, other), fourier.lines(size, 1, filter, spare)
    with b.loop(0, size, name="k", vector=True) as k:
        product = fourier.mul(fourier.load(left, k), fourier.load(right, k))
        fourier.store((product[1], product[0]), left, k)
    back = fourier.lines(size, 1, left, other if left is data else data)
    with b.loop(0, n, name="k") as k:
        value = fourier.load(back, k)
        fourier.store(fourier.scaled(fourier.mul((value[1], value[0]), chirp(k)), 1 / size), back, k)
    _free(b, filter, spare)
    return back


def _conjugate(fourier: Fourier, x: Complex) -> Complex:
    return x[0], fourier.b.op(scalar.NegOp(fourier.dtype, x[1]))


# Rows and columns


class _Square:
    """A transform of n1 x n2, both multiples of the lanes."""

    def __init__(self, fourier: Fourier, lanes: int, op: FftOp, x: SSAValue, y: SSAValue):
        self.fourier, self.b, self.lanes = fourier, fourier.b, lanes
        self.n, self.is_inverse = op.length, op.is_inverse
        bits = self.n.bit_length() - 1
        self.n1, self.n2 = 1 << (bits // 2), 1 << (bits - bits // 2)
        rank = len(self.b.sizes(x))
        self.x, self.y = (self.b.collapse(v, [*([d] for d in range(rank - 2)), [rank - 2, rank - 1]]) for v in (x, y))
        self.v = Vectors(self.b, fourier.dtype, lanes)

    def emit(self, place: Sequence[Index]) -> None:
        """Columns to `turned`, whose blocks of rows lie as lines; then these."""
        b, lanes, dtype = self.b, self.lanes, self.fourier.dtype
        turned, first = _planes(b, dtype, self.n), self._first_turns()
        with b.parallel([self.n2 // lanes], name="column") as (block,):
            column = b.mul(block, lanes)
            data, other = _planes(b, dtype, self.n1 * lanes), _planes(b, dtype, self.n1 * lanes)
            with b.loop(0, self.n1, name="j") as j:
                self._split(place, b.mul(b.add(b.mul(j, self.n2), column), 2), data, b.mul(j, lanes))
            found = self.fourier.lines(self.n1, lanes, data, other)
            with b.loop(0, self.n1, lanes, name="k", as_it_is=True) as k:
                self._turn(found, first, turned, k, column)
            _free(b, data, other)
        with b.parallel([self.n1 // lanes], name="row") as (block,):
            data, other = _planes(b, dtype, self.n2 * lanes), _planes(b, dtype, self.n2 * lanes)
            start = b.mul(block, self.n2 * lanes)
            with b.loop(0, self.n2 * lanes, name="j", vector=True) as j:
                self.fourier.store(self.fourier.load(turned, b.add(start, j)), data, j)
            found = self.fourier.lines(self.n2, lanes, data, other)
            with b.loop(0, self.n2, name="k") as k:
                at = b.mul(b.add(b.mul(k, self.n1), b.mul(block, lanes)), 2)
                self._joined(found, b.mul(k, lanes), place, at)
            _free(b, data, other)
        _free(b, turned, first)

    def _first_turns(self) -> Complex:
        """Powers k w of the root for each column of a block, w, and each k."""
        b, lanes = self.b, self.lanes
        turns = _planes(b, self.fourier.dtype, self.n1 * lanes)
        with b.loop(0, self.n1, name="k") as k, b.loop(0, lanes, name="w") as w:
            self.fourier.store(self.fourier.power(self.n, b.mul(k, w)), turns, b.add(b.mul(k, lanes), w))
        return turns

    def _shuffled(self, x: SSAValue, y: SSAValue, order: Sequence[int]) -> SSAValue:
        mask = DenseArrayBase.from_list(i64, list(order))
        kind: VectorType[Any] = self.v.type
        return self.b.op(xdsl_vector.ShuffleOp(x, y, mask, result_type=kind))

    def _split(self, place: Sequence[Index], at: Index, plane: Complex, to: Index) -> None:
        """Neighbours, parts side by side, to planes."""
        lanes, v = self.lanes, self.v
        pair = v.load(self.x, [*place, at]), v.load(self.x, [*place, self.b.add(at, lanes)])
        parts = [self._shuffled(*pair, range(start, 2 * lanes, 2)) for start in (0, 1)]
        for part, target in zip(parts[::-1] if self.is_inverse else parts, plane, strict=True):
            v.store(part, target, [to])

    def _joined(self, plane: Complex, at: Index, place: Sequence[Index], to: Index) -> None:
        """What `_split` undoes, divided by n in an inverse transform."""
        lanes, v, b = self.lanes, self.v, self.b
        parts = list(self._load(plane, at))
        if self.is_inverse:
            factor = v.splat(b.constant(1 / self.n, self.fourier.dtype))
            parts = [v.multiply(p, factor) for p in parts[::-1]]
        for start in (0, lanes // 2):
            order = [place + part * lanes for place in range(start, start + lanes // 2) for part in (0, 1)]
            v.store(self._shuffled(parts[0], parts[1], order), self.y, [*place, b.add(to, 2 * start)])

    def _turn(self, found: Complex, first: Complex, out: Complex, k: Index, column: Index) -> None:
        """A block of as many rows as lanes, times powers of the root, transposed."""
        b, v, lanes = self.b, self.v, self.lanes
        real: list[SSAValue] = []
        imaginary: list[SSAValue] = []
        for n in range(lanes):
            row = b.add(k, n)
            at = b.mul(row, lanes)
            step = self.fourier.power(self.n, b.mul(row, column))
            power = self._times(self._load(first, at), (v.splat(step[0]), v.splat(step[1])))
            value = self._times(self._load(found, at), power)
            real.append(value[0])
            imaginary.append(value[1])
        start = b.mul(b.add(b.mul(b.div(k, lanes), self.n2), column), lanes)
        for rows, plane in zip((real, imaginary), out, strict=True):
            for n, row in enumerate(self._transposed(rows)):
                v.store(row, plane, [b.add(start, n * lanes)])

    def _load(self, plane: Complex, at: Index) -> Complex:
        return self.v.load(plane[0], [at]), self.v.load(plane[1], [at])

    def _times(self, x: Complex, y: Complex) -> Complex:
        v, b = self.v, self.b
        below = b.op(arith.NegfOp(v.multiply(x[1], y[1])))
        return v.multiply_add(x[0], y[0], below), v.multiply_add(x[0], y[1], v.multiply(x[1], y[0]))

    def _transposed(self, rows: Sequence[SSAValue]) -> list[SSAValue]:
        """Exchanges the halves of pairs of rows, then their quarters, and so on."""
        lanes, rows = self.lanes, list(rows)
        half = lanes // 2
        while half:
            for n in range(lanes):
                if n & half:
                    continue
                low = [w if not w & half else w - half + lanes for w in range(lanes)]
                high = [w + half if not w & half else w + lanes for w in range(lanes)]
                x, y = rows[n], rows[n + half]
                rows[n], rows[n + half] = self._shuffled(x, y, low), self._shuffled(x, y, high)
            half //= 2
        return rows
