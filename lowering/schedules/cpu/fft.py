"""The CPU schedule of `atlas.fft`.

Powers of two take Stockham's stages on vectors. Long ones are cut into n1 x n2: transforms of the columns, as many at a
time as a vector has lanes, a turn by powers of the root, and transforms of the rows; blocks are transposed in registers
between. Other lengths take the stages line by line, and those with a prime above 13 are a convolution (Bluestein).
Where vectors have one element all lengths go line by line.

Fourier transforms of a length that is known at the call alone.

A power of two takes Stockham's stages of radix 4, and a last one of radix 2; another length n is a convolution with
exp(pi i j^2 / n) (Bluestein), whose transforms have the next power of two from 2 n - 1 on. The powers of the root are
computed in f64 once for all transforms of a batch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.fourier import FftOp
from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.shapes import DYNAMIC
from hologram.lowering.rewriting.kernel_builder import Builder, Index, dtype_in, is_dense
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.cpu.fft_stages import LARGEST, LEAST, Complex, Fourier, VectorFourier, Whole, radices

F64 = DTYPES["f64"]
SHORT = 8
"""Shorter runs of neighbours do not fill vectors."""


class Dynamic:
    """The transforms of a batch, whose length is a value."""

    def __init__(self, fourier: Fourier, op: FftOp, x: SSAValue, y: SSAValue):
        self.fourier, self.b, self.dtype = fourier, fourier.b, fourier.dtype
        self.x, self.y, self.is_inverse = x, y, op.is_inverse
        b = self.b
        # Unrolled by LLVM, loops around loops are much code.
        b.as_they_are = True
        *self.batch, self.n, _ = b.sizes(x)
        below = b.sub(b.max(self.n, 1), 1)
        self.is_even = b.compare("eq", b.both(b.index(self.n), b.index(below)), 0)
        wanted = b.select(self.is_even, b.add(below, 1), b.add(b.mul(below, 2), 1))
        self.size = b.least_power_of_two(wanted)
        self.roots = _planes(b, self.dtype, self.size)

    def emit(self) -> None:
        """Powers of the root and what is turned with, then the batch in parallel."""
        b, size = self.b, self.size
        with b.loop(0, size, name="k", vector=True) as k:
            self.fourier.store(self._power(k, size), self.roots, k)
        double = b.mul(size, 2)
        filter = _planes(b, self.dtype, b.select(self.is_even, 0, double))
        chirp = _planes(b, self.dtype, b.select(self.is_even, 0, self.n))
        b.choose(self.is_even, lambda: None, lambda: self._filter(chirp, filter))
        with b.parallel(self.batch, name="batch") as place:
            data = _planes(b, self.dtype, double)
            self._one(place, data, filter, chirp)
            _free(b, data)
        _free(b, filter, chirp, self.roots)

    # Numbers

    def _number(self, value: Index) -> SSAValue:
        """An index as f64."""
        return self.b.cvt(DTYPES["i64"], F64, self.b.index_as(value, i64))

    def _rounded(self, value: SSAValue) -> SSAValue:
        return self.b.cvt(F64, self.dtype, value)

    def _power(self, k: Index, n: Index) -> Complex:
        """exp(-2 pi i k / n)."""
        b = self.b
        share = b.of(F64).div(self._number(k), self._number(n))
        angle = b.of(F64).mul(share, -2 * math.pi)
        return self._rounded(b.op(scalar.CosOp(F64, angle))), self._rounded(b.op(scalar.SinOp(F64, angle)))

    def _inverse_of(self, size: Index) -> SSAValue:
        return self._rounded(self.b.of(F64).div(self.b.constant(1.0, F64), self._number(size)))

    # Transforms

    def _one(self, place: Sequence[Index], data: Complex, filter: Complex, chirp: Complex) -> None:
        """One transform. An inverse one has real and imaginary parts swapped, before and after."""
        b, n = self.b, self.n
        self.fourier.read_line(self.x, place, n, data, is_inverse=self.is_inverse)
        b.choose(self.is_even, lambda: None, lambda: self._turn(data, chirp))

        def transform(number: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
            with b.when(b.compare("ne", number, 0)):
                self.fourier.multiply_swapped(data, values[0], filter, self.size)
            return [self._stages(data, values[0])]

        # There and, where it is a convolution, back: in one loop, for the stages are much code.
        (at,) = b.carried(0, b.select(self.is_even, 1, 2), [b.index(0)], transform, "t")
        b.choose(self.is_even, lambda: None, lambda: self._turn_back(data, chirp, at))
        factor = self._inverse_of(b.max(n, 1)) if self.is_inverse else 1
        self.fourier.write_line(data, at, factor, n, self.y, place, is_inverse=self.is_inverse)

    def _stages(self, data: Complex, start: SSAValue) -> SSAValue:
        """All stages, from one half of the planes to the other and back; where the result begins."""
        b, size = self.b, self.size

        def step(values: Sequence[SSAValue]) -> list[SSAValue]:
            run, at = values
            is_four = b.compare("ule", b.mul(run, 4), size)
            to = b.sub(size, at)
            b.choose(is_four, lambda: self._stage(4, run, data, at, to), lambda: self._stage(2, run, data, at, to))
            return [b.index(b.mul(run, b.select(is_four, 4, 2))), b.index(to)]

        return b.carried_while([b.index(1), start], lambda v: b.compare("ult", v[0], size), step)[1]

    def _stage(self, radix: int, run: Index, data: Complex, at: Index, to: Index) -> None:
        """Element p + k m to p radix + j, in runs of neighbours; while these are short, along the places p."""
        b, fourier = self.b, self.fourier
        apart = b.div(self.size, radix)
        places = b.div(apart, run)

        def powers(first: Index) -> list[Complex]:
            return [fourier.load(self.roots, b.mul(first, j)) for j in range(1, radix)]

        def move(first: Index, q: Index, steps: Sequence[Complex]) -> None:
            source, target = b.add(b.add(at, first), q), b.add(b.add(to, b.mul(first, radix)), q)
            z = [fourier.load(data, b.add(source, b.mul(apart, k))) for k in range(radix)]
            for j, value in enumerate(fourier.dft(z)):
                turned = fourier.mul(value, steps[j - 1]) if j else value
                fourier.store(turned, data, b.add(target, b.mul(run, j)))

        def along_runs() -> None:
            with b.loop(0, places, name="p") as p:
                first = b.mul(p, run)
                steps = powers(first)
                with b.loop(0, run, name="q", vector=True) as q:
                    move(first, q, steps)

        def along_places() -> None:
            with b.loop(0, run, name="q") as q, b.loop(0, places, name="p", vector=True) as p:
                first = b.mul(p, run)
                move(first, q, powers(first))

        if radix == 4:
            b.choose(b.compare("ult", run, SHORT), along_places, along_runs)
        else:
            along_runs()

    # Convolution

    def _filter(self, chirp: Complex, filter: Complex) -> None:
        """The powers exp(-pi i j^2 / n), and the transform of their inverses, around 0."""
        b, fourier, n, size = self.b, self.fourier, self.n, self.size
        fourier.clear(filter, 0, size)
        with b.loop(0, n, name="j") as j:
            turn = self._power(b.rem(b.mul(j, j), b.mul(n, 2)), b.mul(n, 2))
            back = fourier.conjugate(turn)
            fourier.store(turn, chirp, j)
            fourier.store(back, filter, j)
            fourier.store(back, filter, b.rem(b.sub(size, j), size))
        at = self._stages(filter, b.index(0))
        with b.loop(0, size, name="k", vector=True) as k:
            fourier.store(fourier.load(filter, b.add(at, k)), filter, k)

    def _turn(self, data: Complex, chirp: Complex) -> None:
        """Makes the numbers the first half of the planes, turned and followed by zeros."""
        b, fourier = self.b, self.fourier
        with b.loop(0, self.n, name="j", vector=True) as j:
            fourier.store(fourier.mul(fourier.load(data, j), fourier.load(chirp, j)), data, j)
        fourier.clear(data, self.n, self.size)

    def _turn_back(self, data: Complex, chirp: Complex, at: Index) -> None:
        b, fourier = self.b, self.fourier
        factor = self._inverse_of(self.size)
        with b.loop(0, self.n, name="k", vector=True) as k:
            place = b.add(at, k)
            value = fourier.load(data, place)
            turned = fourier.mul((value[1], value[0]), fourier.load(chirp, k))
            fourier.store(fourier.scaled(turned, factor), data, place)


STACK = 1 << 16
"""The bytes of planes up to which they lie on the stack."""


@dataclass(frozen=True)
class FftParameters:
    """`square`: the least power of two that is cut in two; its parts run in parallel, not the transforms of a batch."""

    square: int = 1 << 16


def schedule_fft(b: Builder, op: FftOp, target: Target, parameters: FftParameters) -> None:
    """The transforms of a batch in parallel, or the parts of long ones."""
    x, y = (b.rw.value(v) for v in (op.ins[0], op.outs[0]))
    dtype, n = dtype_in(x), op.length
    lanes = max(1, target.vector_bytes * 8 // dtype.bits)
    fourier = Fourier(b, dtype)
    if n == DYNAMIC:
        Dynamic(fourier, op, x, y).emit()
        return
    has_vectors = lanes > 1 and n & (n - 1) == 0 and n >= LEAST and is_dense(x) and is_dense(y)
    is_square = has_vectors and n >= max(parameters.square, lanes * lanes)
    batch = b.sizes(x)[:-2]
    if is_square:
        with b.loops(batch, name="batch") as place:
            _Square(fourier, lanes, op, x, y).emit(place)
        return
    with b.parallel(batch, name="batch") as place:
        if has_vectors:
            _whole(fourier, lanes, op, x, y, place)
        else:
            _line(fourier, lanes, op, x, y, place)


def _planes(b: Builder, dtype: DType, size: Index) -> Complex:
    """Memory for real and imaginary parts."""
    return b.alloc(dtype.ir, [size]), b.alloc(dtype.ir, [size])


def _planes_on_stack(b: Builder, dtype: DType, size: int) -> Complex:
    """The same for small transforms, which memory from elsewhere would take as long as their stages."""
    return b.alloca(dtype.ir, size), b.alloca(dtype.ir, size)


def _free(b: Builder, *planes: Complex) -> None:
    b.free(*(part for plane in planes for part in plane))


def _pairs(b: Builder, value: SSAValue) -> SSAValue:
    """Real and imaginary parts as neighbours along one axis."""
    rank = len(b.sizes(value))
    return b.collapse(value, [*([d] for d in range(rank - 2)), [rank - 2, rank - 1]])


def _whole(fourier: Fourier, lanes: int, op: FftOp, x: SSAValue, y: SSAValue, place: Sequence[Index]) -> None:
    """One transform on vectors, in planes on the stack if they are small."""
    b, n, dtype = fourier.b, op.length, fourier.dtype
    is_small = 4 * n * dtype.bits // 8 <= STACK
    make = _planes_on_stack if is_small else _planes
    data, other = make(b, dtype, n), make(b, dtype, n)
    Whole(fourier, lanes, n, is_inverse=op.is_inverse).emit(_pairs(b, x), _pairs(b, y), place, data, other)
    if not is_small:
        _free(b, data, other)


# Line by line


def _line(fourier: Fourier, lanes: int, op: FftOp, x: SSAValue, y: SSAValue, place: Sequence[Index]) -> None:
    """One transform in planes. An inverse one has real and imaginary parts swapped, before and after."""
    b, n = fourier.b, op.length
    size, is_long = n, max(radices(n), default=1) > LARGEST
    if is_long:
        size = _padded(n)
    data, other = _planes(b, fourier.dtype, size), _planes(b, fourier.dtype, size)
    fourier.read_line(x, place, n, data, is_inverse=op.is_inverse)
    spectrum = _bluestein(fourier, lanes, n, data, other) if is_long else fourier.lines(n, 1, data, other)
    fourier.write_line(spectrum, 0, 1 / n if op.is_inverse else 1, n, y, place, is_inverse=op.is_inverse)
    _free(b, data, other)


def _padded(n: int) -> int:
    """The length of the convolution that is a transform of length n."""
    return max(LEAST, 1 << (2 * n - 2).bit_length())


def _bluestein(fourier: Fourier, lanes: int, n: int, data: Complex, other: Complex) -> Complex:
    """j k = (j^2 + k^2 - (k - j)^2) / 2 makes the transform a convolution with exp(pi i j^2 / n), padded with zeros."""
    b, t, size = fourier.b, fourier.dtype, _padded(n)
    transform = Whole(fourier, lanes, size, is_inverse=False).planes if lanes > 1 else partial(fourier.lines, size, 1)
    filter, spare = _planes(b, t, size), _planes(b, t, size)

    def chirp(j: Index) -> Complex:
        return fourier.power(2 * n, b.rem(b.mul(j, j), 2 * n))

    fourier.clear(filter, 0, size)
    fourier.clear(data, n, size)
    with b.loop(0, n, name="j") as j:
        turn = chirp(j)
        fourier.store(fourier.mul(fourier.load(data, j), turn), data, j)
        back = fourier.conjugate(turn)
        fourier.store(back, filter, j)
        fourier.store(back, filter, b.rem(b.sub(size, j), size))
    left, right = transform(data, other), transform(filter, spare)
    fourier.multiply_swapped(left, 0, right, size)
    back = transform(left, other if left is data else data)
    with b.loop(0, n, name="k") as k:
        value = fourier.load(back, k)
        fourier.store(fourier.scaled(fourier.mul((value[1], value[0]), chirp(k)), 1 / size), back, k)
    _free(b, filter, spare)
    return back


# Rows and columns


class _Square:
    """A transform of n1 x n2, both multiples of the lanes."""

    def __init__(self, fourier: Fourier, lanes: int, op: FftOp, x: SSAValue, y: SSAValue):
        self.fourier, self.b, self.lanes = fourier, fourier.b, lanes
        self.n, self.is_inverse = op.length, op.is_inverse
        bits = self.n.bit_length() - 1
        self.n1, self.n2 = 1 << (bits // 2), 1 << (bits - bits // 2)
        self.x, self.y = _pairs(self.b, x), _pairs(self.b, y)
        self.vectors = VectorFourier(self.b, fourier.dtype, lanes)

    def emit(self, place: Sequence[Index]) -> None:
        """Columns to `turned`, whose blocks of rows lie as lines; then these."""
        b, lanes, dtype = self.b, self.lanes, self.fourier.dtype
        turned, first = _planes(b, dtype, self.n), self._first_turns()
        with b.parallel([self.n2 // lanes], name="column") as (block,):
            column = b.mul(block, lanes)
            data, other = _planes(b, dtype, self.n1 * lanes), _planes(b, dtype, self.n1 * lanes)
            with b.loop(0, self.n1, name="j") as j:
                value = self.vectors.load_pairs(self.x, place, b.mul(b.add(b.mul(j, self.n2), column), 2))
                real, imaginary = value[::-1] if self.is_inverse else value
                self.vectors.store((real, imaginary), data, b.mul(j, lanes))
            spectrum = self.fourier.lines(self.n1, lanes, data, other)
            with b.loop(0, self.n1, lanes, name="k", as_it_is=True) as k:
                self._turn(spectrum, first, turned, k, column)
            _free(b, data, other)
        with b.parallel([self.n1 // lanes], name="row") as (block,):
            data, other = _planes(b, dtype, self.n2 * lanes), _planes(b, dtype, self.n2 * lanes)
            start = b.mul(block, self.n2 * lanes)
            with b.loop(0, self.n2 * lanes, name="j", vector=True) as j:
                self.fourier.store(self.fourier.load(turned, b.add(start, j)), data, j)
            spectrum = self.fourier.lines(self.n2, lanes, data, other)
            with b.loop(0, self.n2, name="k") as k:
                at = b.mul(b.add(b.mul(k, self.n1), b.mul(block, lanes)), 2)
                value = self.vectors.load(spectrum, b.mul(k, lanes))
                if self.is_inverse:
                    value = self.vectors.scaled((value[1], value[0]), 1 / self.n)
                self.vectors.store_pairs(value, self.y, place, at)
            _free(b, data, other)
        _free(b, turned, first)

    def _first_turns(self) -> Complex:
        """Powers k w of the root for each column of a block, w, and each k."""
        b, lanes = self.b, self.lanes
        turns = _planes(b, self.fourier.dtype, self.n1 * lanes)
        with b.loop(0, self.n1, name="k") as k, b.loop(0, lanes, name="w") as w:
            self.fourier.store(self.fourier.power(self.n, b.mul(k, w)), turns, b.add(b.mul(k, lanes), w))
        return turns

    def _turn(self, spectrum: Complex, first: Complex, out: Complex, k: Index, column: Index) -> None:
        """A block of as many rows as lanes, times powers of the root, transposed."""
        b, vectors, lanes = self.b, self.vectors, self.lanes
        real: list[SSAValue] = []
        imaginary: list[SSAValue] = []
        for n in range(lanes):
            row = b.add(k, n)
            at = b.mul(row, lanes)
            step = self.fourier.power(self.n, b.mul(row, column))
            power = vectors.mul(vectors.load(first, at), vectors.splat(step))
            value = vectors.mul(vectors.load(spectrum, at), power)
            real.append(value[0])
            imaginary.append(value[1])
        start = b.mul(b.add(b.mul(b.div(k, lanes), self.n2), column), lanes)
        for rows, plane in zip((real, imaginary), out, strict=True):
            for n, row in enumerate(vectors.interleaved(rows, 1)):
                vectors.v.store(row, plane, [b.add(start, n * lanes)])
