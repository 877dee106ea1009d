"""Fourier transforms of a length that is known at the call alone.

A power of two takes Stockham's stages of radix 4, and a last one of radix 2; another length n is a convolution with
exp(pi i j^2 / n) (Bluestein), whose transforms have the next power of two from 2 n - 1 on. The powers of the root are
computed in f64 once for all transforms of a batch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.fourier import FftOp
from hologram.dialects.atlas.types import DTYPES
from hologram.lowering.schedules.builder import Index
from hologram.lowering.schedules.fft_stages import Complex, Fourier

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
        self.size = b.carried_while(
            [b.index(1)], lambda v: b.compare("ult", v[0], wanted), lambda v: [b.index(b.mul(v[0], 2))]
        )[0]  # fmt: skip
        self.roots = self._planes(self.size)

    def emit(self) -> None:
        """Powers of the root and what is turned with, then the batch in parallel."""
        b, size = self.b, self.size
        with b.loop(0, size, name="k", vector=True) as k:
            self.fourier.store(self._power(k, size), self.roots, k)
        double = b.mul(size, 2)
        filter = self._planes(b.select(self.is_even, 0, double))
        chirp = self._planes(b.select(self.is_even, 0, self.n))
        b.choose(self.is_even, lambda: None, lambda: self._filter(chirp, filter))
        with b.parallel(self.batch, name="batch") as place:
            data = self._planes(double)
            self._one(place, data, filter, chirp)
            self._free(data)
        self._free(filter, chirp, self.roots)

    # Numbers

    def _planes(self, size: Index) -> Complex:
        return self.b.alloc(self.dtype.ir, [size]), self.b.alloc(self.dtype.ir, [size])

    def _free(self, *planes: Complex) -> None:
        for part in (part for plane in planes for part in plane):
            self.b.rw.emit(memref.DeallocOp.get(part))

    def _number(self, value: Index) -> SSAValue:
        """An index as f64."""
        whole = self.b.op(arith.IndexCastOp(self.b.index(value), i64))
        return self.b.op(scalar.CvtOp(DTYPES["i64"], F64, whole))

    def _rounded(self, value: SSAValue) -> SSAValue:
        return value if self.dtype is F64 else self.b.op(scalar.CvtOp(F64, self.dtype, value))

    def _power(self, k: Index, n: Index) -> Complex:
        """exp(-2 pi i k / n)."""
        b = self.b
        share = b.op(scalar.DivOp(F64, self._number(k), self._number(n)))
        angle = b.op(scalar.MulOp(F64, share, b.constant(-2 * math.pi, F64)))
        return self._rounded(b.op(scalar.CosOp(F64, angle))), self._rounded(b.op(scalar.SinOp(F64, angle)))

    def _inverse_of(self, size: Index) -> SSAValue:
        return self._rounded(self.b.op(scalar.DivOp(F64, self.b.constant(1.0, F64), self._number(size))))

    def _times(self, x: Complex, factor: SSAValue) -> Complex:
        real, imaginary = (self.b.op(scalar.MulOp(self.dtype, part, factor)) for part in x)
        return real, imaginary

    # Transforms

    def _one(self, place: Sequence[Index], data: Complex, filter: Complex, chirp: Complex) -> None:
        """One transform. An inverse one has real and imaginary parts swapped, before and after."""
        b, n = self.b, self.n
        real, imaginary = (1, 0) if self.is_inverse else (0, 1)
        with b.loop(0, n, name="j", vector=True) as j:
            self.fourier.store((b.load(self.x, [*place, j, real]), b.load(self.x, [*place, j, imaginary])), data, j)
        b.choose(self.is_even, lambda: None, lambda: self._turn(data, chirp))

        def transform(number: Index, values: Sequence[SSAValue]) -> list[SSAValue]:
            with b.when(b.compare("ne", number, 0)):
                self._multiply(data, filter, values[0])
            return [self._stages(data, values[0])]

        # There and, where it is a convolution, back: in one loop, for the stages are much code.
        (at,) = b.carried(0, b.select(self.is_even, 1, 2), [b.index(0)], transform, "t")
        b.choose(self.is_even, lambda: None, lambda: self._turn_back(data, chirp, at))
        factor = self._inverse_of(b.max(n, 1)) if self.is_inverse else None
        with b.loop(0, n, name="k", vector=True) as k:
            value = self.fourier.load(data, b.add(at, k))
            value = value if factor is None else self._times(value, factor)
            b.store(value[0], self.y, [*place, k, real])
            b.store(value[1], self.y, [*place, k, imaginary])

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
        self._clear(filter, 0, size)
        with b.loop(0, n, name="j") as j:
            turn = self._power(b.rem(b.mul(j, j), b.mul(n, 2)), b.mul(n, 2))
            back = turn[0], b.op(scalar.NegOp(self.dtype, turn[1]))
            fourier.store(turn, chirp, j)
            fourier.store(back, filter, j)
            fourier.store(back, filter, b.rem(b.sub(size, j), size))
        at = self._stages(filter, b.index(0))
        with b.loop(0, size, name="k", vector=True) as k:
            fourier.store(fourier.load(filter, b.add(at, k)), filter, k)

    def _clear(self, plane: Complex, start: Index, end: Index) -> None:
        zero = self.b.constant(0.0, self.dtype)
        with self.b.loop(start, end, name="j", vector=True) as j:
            self.fourier.store((zero, zero), plane, j)

    def _turn(self, data: Complex, chirp: Complex) -> None:
        """Makes the numbers the first half of the planes, turned and followed by zeros."""
        b, fourier = self.b, self.fourier
        with b.loop(0, self.n, name="j", vector=True) as j:
            fourier.store(fourier.mul(fourier.load(data, j), fourier.load(chirp, j)), data, j)
        self._clear(data, self.n, self.size)

    def _multiply(self, data: Complex, filter: Complex, at: Index) -> None:
        """Multiplies what begins at a place by the filter; parts are swapped for the way back."""
        b, fourier = self.b, self.fourier
        with b.loop(0, self.size, name="k", vector=True) as k:
            place = b.add(at, k)
            product = fourier.mul(fourier.load(data, place), fourier.load(filter, k))
            fourier.store((product[1], product[0]), data, place)

    def _turn_back(self, data: Complex, chirp: Complex, at: Index) -> None:
        b, fourier = self.b, self.fourier
        factor = self._inverse_of(self.size)
        with b.loop(0, self.n, name="k", vector=True) as k:
            place = b.add(at, k)
            value = fourier.load(data, place)
            turned = fourier.mul((value[1], value[0]), fourier.load(chirp, k))
            fourier.store(self._times(turned, factor), data, place)
