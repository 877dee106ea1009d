"""Fourier transforms of lines that lie side by side: Stockham's stages, of any radix, and the powers of the root.

A plane is a flat memref of real or of imaginary parts: element j of line w is at j * lines + w.

Fourier transforms on explicit vectors: arithmetic on complex numbers, and whole transforms of powers of two.

A transform goes through Stockham's stages. In the first ones the runs of neighbours are shorter than a vector: a vector
holds those of several places, and what a stage gives is put in order in registers. The first stage reads pairs of real
and imaginary parts, the last one writes them; between lie planes.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from xdsl.dialects import memref
from xdsl.dialects import vector as xdsl_vector
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    VectorType,
    i64,
)
from xdsl.ir import SSAValue

from hologram.dialects.atlas.instructions.types import DType
from hologram.dialects.verbs import Verb, Verbs
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.vectors import Vectors, multiply_add

Complex = tuple[SSAValue, SSAValue]
"""The real and the imaginary part: numbers, or planes."""
Read = Callable[[Index], Complex]
Write = Callable[[Complex, Index], None]
WHOLE = 2048
"""Up to so many powers of a root stand in one table; of more, each is the product of two."""
LARGEST = 13
"""The greatest radix: longer primes take Bluestein's way."""


def radices(n: int) -> list[int]:
    """The radices of the stages, the large ones first; a last one above LARGEST says that there is a long prime."""
    factors: list[int] = []
    twos = (n & -n).bit_length() - 1
    n >>= twos
    while twos:
        step = 3 if twos >= 3 and twos != 4 else min(twos, 2)
        factors.append(1 << step)
        twos -= step
    for prime in (3, 5, 7, 11, 13):
        while n % prime == 0:
            factors.append(prime)
            n //= prime
    return [*factors, n] if n > 1 else factors


@dataclass(frozen=True)
class Fourier(Verbs[Complex, Complex]):
    """Emits arithmetic on complex numbers of `dtype`."""

    b: Builder
    dtype: DType

    def number(self, value: float) -> SSAValue:
        """A real constant."""
        return self.b.constant(value, self.dtype)

    @property
    def parts(self) -> Verbs[SSAValue, SSAValue]:
        """The emitter of arithmetic on real or imaginary parts."""
        return self.b.of(self.dtype)

    def negated(self, x: SSAValue) -> SSAValue:
        """-x for a part."""
        return self.b.of(self.dtype).negate(x)

    def multiply_add(self, x: SSAValue, y: SSAValue, z: SSAValue) -> SSAValue:
        """x * y + z of parts."""
        return multiply_add(self.b, self.dtype, x, y, z)

    def binary(self, verb: Verb, a: Complex, b: Complex) -> Complex:
        """A sum or a difference, part by part, or a product."""
        parts = self.parts
        if verb != "mul":
            return parts.binary(verb, a[0], b[0]), parts.binary(verb, a[1], b[1])
        below = self.negated(parts.mul(a[1], b[1]))
        return self.multiply_add(a[0], b[0], below), self.multiply_add(a[0], b[1], parts.mul(a[1], b[0]))

    def scaled(self, x: Complex, factor: SSAValue | float) -> Complex:
        """x times a real number, known or not."""
        if factor == 1:
            return x
        number = factor if isinstance(factor, SSAValue) else self.number(factor)
        return self.parts.mul(x[0], number), self.parts.mul(x[1], number)

    def conjugate(self, x: Complex) -> Complex:
        """x with its imaginary part negated."""
        return x[0], self.negated(x[1])

    def turned(self, x: Complex) -> Complex:
        """x * -i."""
        return x[1], self.negated(x[0])

    def _rotated(self, x: Complex, k: int, n: int) -> Complex:
        """x * exp(-2 pi i k / n)."""
        if 4 * k == n:
            return self.turned(x)
        if k == 0:
            return x
        power = cmath.exp(-2j * math.pi * k / n)
        if 8 * k in (n, 3 * n):
            down = self.turned(x)
            pair = self.add(x, down) if 8 * k == n else self.sub(down, x)
            return self.scaled(pair, math.sqrt(0.5))
        return self.mul(x, (self.number(power.real), self.number(power.imag)))

    def dft(self, z: Sequence[Complex]) -> list[Complex]:
        """The transform of a few numbers: halves while their count is even, else the sum."""
        n = len(z)
        if n == 1:
            return list(z)
        if n % 2:
            return self._odd(z)
        even, odd = self.dft(z[0::2]), self.dft(z[1::2])
        turned = [self._rotated(x, k, n) for k, x in enumerate(odd)]
        pairs = list(zip(even, turned, strict=True))
        return [self.add(x, y) for x, y in pairs] + [self.sub(x, y) for x, y in pairs]

    def _odd(self, z: Sequence[Complex]) -> list[Complex]:
        """Elements j and n - j share their cosine; their sines differ in the sign."""
        n, b, t = len(z), self.b, self.dtype
        half = range(1, n // 2 + 1)
        sums = [self.add(z[j], z[n - j]) for j in half]
        differences = [self.sub(z[j], z[n - j]) for j in half]
        result = [z[0]] * n
        for total in sums:
            result[0] = self.add(result[0], total)
        for k in half:
            even, odd = z[0], (b.constant(0.0, t), b.constant(0.0, t))
            for j in half:
                angle = 2 * math.pi * (j * k % n) / n
                cosine, sine = b.constant(math.cos(angle), t), b.constant(math.sin(angle), t)
                s, d = sums[j - 1], differences[j - 1]
                even = multiply_add(b, t, s[0], cosine, even[0]), multiply_add(b, t, s[1], cosine, even[1])
                odd = multiply_add(b, t, d[0], sine, odd[0]), multiply_add(b, t, d[1], sine, odd[1])
            down = self.turned(odd)
            result[k], result[n - k] = self.add(even, down), self.sub(even, down)
        return result

    # Powers of the root

    def table(self, name: str, values: Sequence[complex]) -> Complex:
        """Constants of the module: real and imaginary parts."""
        real, imaginary = (self._constants(f"{name}_{part}", [getattr(v, part) for v in values]) for part in _PARTS)
        return real, imaginary

    def _constants(self, name: str, values: Sequence[float]) -> SSAValue:
        kind = MemRefType(self.dtype.ir, [len(values)])
        type: TensorType[Any] = TensorType(self.dtype.ir, [len(values)])
        data = DenseIntOrFPElementsAttr.from_list(type, list(values))
        rw = self.b.rw
        rw.declare(
            name,
            lambda: memref.GlobalOp.get(
                StringAttr(name), kind, data, sym_visibility=StringAttr("private"), constant=UnitAttr(), alignment=64
            ),
        )
        return rw.once(("table", name), lambda: self.b.op(memref.GetGlobalOp(name, kind)))

    def _powers(self, n: int, step: int, count: int) -> Complex:
        values = [cmath.exp(-2j * math.pi * (k * step % n) / n) for k in range(count)]
        return self.table(f"fft_{self.dtype.name}_{n}_{step}", values)

    def load(self, plane: Complex, at: Index) -> Complex:
        """A number of a plane."""
        return self.b.load(plane[0], [at]), self.b.load(plane[1], [at])

    def store(self, value: Complex, plane: Complex, at: Index) -> None:
        """Stores a number to a plane."""
        self.b.store(value[0], plane[0], [at])
        self.b.store(value[1], plane[1], [at])

    def power(self, n: int, k: Index) -> Complex:
        """exp(-2 pi i k / n) for 0 <= k < n."""
        if n <= WHOLE:
            return self.load(self._powers(n, 1, n), k)
        low = 1 << (n.bit_length() // 2)
        fine = self.load(self._powers(n, 1, low), self.b.rem(k, low))
        return self.mul(self.load(self._powers(n, low, -(-n // low)), self.b.div(k, low)), fine)

    # Stages

    def lines(self, n: int, lines: int, data: Complex, other: Complex) -> Complex:
        """Transforms lines of length n in planes; where the result is: in one pair of planes or the other."""
        stride, rest = 1, n
        for radix in radices(n):
            self.stage(rest, radix, stride * lines, self.reader(data), self.writer(other))
            data, other = other, data
            stride, rest = stride * radix, rest // radix
        return data

    def reader(self, plane: Complex) -> Read:
        """Return what loads numbers of a plane."""
        return lambda at: self.load(plane, at)

    def writer(self, plane: Complex) -> Write:
        """Return what stores numbers to a plane."""
        return lambda value, at: self.store(value, plane, at)

    def stage(self, n: int, radix: int, run: int, read: Read, write: Write) -> None:
        """Emit a stage with `n` left to do: element p + k m, k < radix, to p radix + j, in runs of neighbours."""
        b, part = self.b, n // radix
        with b.loop(0, part, name="p") as p:
            steps = [self.everywhere(n, b.mul(p, j)) for j in range(1, radix)] if part > 1 else []
            source, target = b.mul(p, run), b.mul(p, run * radix)
            with self.along(run) as q:
                z = [read(b.add(b.add(source, k * part * run), q)) for k in range(radix)]
                for j, value in enumerate(self.dft(z)):
                    turned = self.mul(value, steps[j - 1]) if j and steps else value
                    write(turned, b.add(b.add(target, j * run), q))

    def everywhere(self, n: int, k: Index) -> Complex:
        """exp(-2 pi i k / n) for all the numbers that are computed with at once."""
        return self.power(n, k)

    def along(self, run: int) -> AbstractContextManager[Index]:
        """A loop over a run of neighbours."""
        return self.b.loop(0, run, name="q", vector=True)

    # Lines of an array

    def read_line(self, x: SSAValue, place: Sequence[Index], n: Index, data: Complex, *, is_inverse: bool) -> None:
        """Copies a line of an array to planes; an inverse transform has real and imaginary parts swapped."""
        with self.b.loop(0, n, name="j", vector=True) as j:
            real, imaginary = (self.b.load(x, [*place, j, part]) for part in _order(is_inverse))
            self.store((real, imaginary), data, j)

    def write_line(
        self, data: Complex, at: Index, factor: SSAValue | float, n: Index, y: SSAValue, place: Sequence[Index],
        *, is_inverse: bool,
    ) -> None:  # fmt: skip
        """Copies numbers of planes from `at` on, times a factor, to a line of an array."""
        with self.b.loop(0, n, name="k", vector=True) as k:
            value = self.scaled(self.load(data, self.b.add(at, k)), factor)
            for part, axis in zip(value, _order(is_inverse), strict=True):
                self.b.store(part, y, [*place, k, axis])

    def clear(self, plane: Complex, start: Index, end: Index) -> None:
        """Stores zeros to a part of a plane."""
        zero = self.b.constant(0.0, self.dtype)
        with self.b.loop(start, end, name="j", vector=True) as j:
            self.store((zero, zero), plane, j)

    def multiply_swapped(self, data: Complex, at: Index, filter: Complex, size: Index) -> None:
        """Multiplies numbers of planes, from `at` on, by a filter; parts are swapped for the way back."""
        with self.b.loop(0, size, name="k", vector=True) as k:
            place = self.b.add(at, k)
            product = self.mul(self.load(data, place), self.load(filter, k))
            self.store((product[1], product[0]), data, place)


def _order(is_inverse: bool) -> tuple[int, int]:
    """The places of real and imaginary parts along the last axis of an array."""
    return (1, 0) if is_inverse else (0, 1)


_PARTS = ("real", "imag")


LEAST = 64
"""The shortest transform whose stages fill vectors."""
TABLE = 4096
"""Up to so many powers of a root stand in a table as vectors take them."""


@dataclass(frozen=True)
class VectorFourier(Fourier):
    """Emits arithmetic on vectors of complex numbers: `lanes` real parts, and as many imaginary ones."""

    lanes: int

    @cached_property
    def v(self) -> Vectors:
        """The emitter of vectors of parts."""
        return Vectors(self.b, self.dtype, self.lanes)

    @property
    def parts(self) -> Verbs[SSAValue, SSAValue]:
        return self.b.core

    def negated(self, x: SSAValue) -> SSAValue:
        return self.b.core.negate(x)

    def multiply_add(self, x: SSAValue, y: SSAValue, z: SSAValue) -> SSAValue:
        return self.v.multiply_add(x, y, z)

    def number(self, value: float) -> SSAValue:
        """A real constant in all lanes."""
        return self.v.splat(self.b.constant(value, self.dtype))

    def splat(self, x: Complex) -> Complex:
        """A complex number in all lanes."""
        return self.v.splat(x[0]), self.v.splat(x[1])

    def everywhere(self, n: int, k: Index) -> Complex:
        return self.splat(Fourier(self.b, self.dtype).power(n, k))

    def along(self, run: int) -> AbstractContextManager[Index]:
        return self.b.loop(0, run, self.lanes, name="q", as_it_is=True)

    def load(self, plane: Complex, at: Index) -> Complex:
        """Neighbours of a plane."""
        return self.v.load(plane[0], [at]), self.v.load(plane[1], [at])

    def store(self, value: Complex, plane: Complex, at: Index) -> None:
        """Stores neighbours to a plane."""
        self.v.store(value[0], plane[0], [at])
        self.v.store(value[1], plane[1], [at])

    def shuffled(self, x: SSAValue, y: SSAValue, order: Sequence[int]) -> SSAValue:
        """Lanes of two vectors."""
        mask = DenseArrayBase.from_list(i64, list(order))
        kind: VectorType[Any] = self.v.type
        return self.b.op(xdsl_vector.ShuffleOp(x, y, mask, result_type=kind))

    def load_pairs(self, source: SSAValue, place: Sequence[Index], at: Index) -> Complex:
        """Neighbours of an array of real and imaginary parts side by side, `at` its elements."""
        lanes = self.lanes
        low, high = (self.v.load(source, [*place, self.b.add(at, n)]) for n in (0, lanes))
        return self.shuffled(low, high, range(0, 2 * lanes, 2)), self.shuffled(low, high, range(1, 2 * lanes, 2))

    def store_pairs(self, value: Complex, target: SSAValue, place: Sequence[Index], at: Index) -> None:
        """Store neighbours as `load_pairs` loads them."""
        lanes = self.lanes
        for start in (0, lanes // 2):
            order = [n + part * lanes for n in range(start, start + lanes // 2) for part in (0, 1)]
            self.v.store(self.shuffled(*value, order), target, [*place, self.b.add(at, 2 * start)])

    def interleaved(self, rows: Sequence[SSAValue], run: int) -> list[SSAValue]:
        """The first runs of all rows, then the second ones, and so on, as vectors; their count is a power of two."""
        if len(rows) == 1:
            return list(rows)
        lanes = self.lanes
        vectors: list[SSAValue] = []
        for x, y in zip(self.interleaved(rows[::2], run), self.interleaved(rows[1::2], run), strict=True):
            for start in (0, lanes // 2):
                ends = range(start, start + lanes // 2, run)
                vectors.append(self.shuffled(x, y, [n + part for n in ends for part in _both(run, lanes)]))
        return vectors


def _both(run: int, lanes: int) -> list[int]:
    """The lanes of a run of the first vector, then those of the second one."""
    return [place + vector * lanes for vector in (0, 1) for place in range(run)]


class Whole:
    """A transform of a power of two, `LEAST` at least."""

    def __init__(self, numbers: Fourier, lanes: int, n: int, *, is_inverse: bool):
        self.n, self.is_inverse, self.radices = n, is_inverse, radices(n)
        self.numbers, self.b = numbers, numbers.b
        self.lanes = min(lanes, n // max(self.radices))
        self.vectors = VectorFourier(numbers.b, numbers.dtype, self.lanes)

    def emit(self, x: SSAValue, y: SSAValue, place: Sequence[Index], data: Complex, other: Complex) -> None:
        """Transform x to y, in whose last axis real and imaginary parts lie side by side, by way of planes."""
        self._stages(
            lambda at: self._read(x, place, at), data, other, lambda value, at: self._write(value, y, place, at)
        )

    def planes(self, data: Complex, other: Complex) -> Complex:
        """Transform planes, always forward, and return those that have the result."""
        target = other if len(self.radices) % 2 else data
        self._stages(self.vectors.reader(data), data, other, self.vectors.writer(target))
        return target

    def _stages(self, read: Read, data: Complex, other: Complex, write: Write) -> None:
        run, rest = 1, self.n
        for radix in self.radices:
            to = write if rest == radix else self.vectors.writer(other)
            if run < self.lanes:
                self._short(radix, run, read, to)
            else:
                self.vectors.stage(rest, radix, run, read, to)
            data, other = other, data
            read, run, rest = self.vectors.reader(data), run * radix, rest // radix

    def _read(self, x: SSAValue, place: Sequence[Index], at: Index) -> Complex:
        real, imaginary = self.vectors.load_pairs(x, place, self.b.mul(at, 2))
        return (imaginary, real) if self.is_inverse else (real, imaginary)

    def _write(self, value: Complex, y: SSAValue, place: Sequence[Index], at: Index) -> None:
        if self.is_inverse:
            value = self.vectors.scaled((value[1], value[0]), 1 / self.n)
        self.vectors.store_pairs(value, y, place, self.b.mul(at, 2))

    def _short(self, radix: int, run: int, read: Read, write: Write) -> None:
        """A stage whose vectors hold the runs of several places p: element p + k m to p radix + j, j and k < radix."""
        b, vectors, lanes = self.b, self.vectors, self.lanes
        apart, places = self.n // radix, lanes // run
        group = min(places, radix)
        steps = self._steps(radix, run)
        with b.loop(0, apart, lanes, name="p", as_it_is=True) as at:
            results = vectors.dft([read(b.add(at, k * apart)) for k in range(radix)])
            results = [vectors.mul(value, steps(j, at)) if j else value for j, value in enumerate(results)]
            start = b.mul(at, radix)
            for first in range(0, radix, group):
                rows = results[first : first + group]
                parts = (vectors.interleaved([row[n] for row in rows], run) for n in (0, 1))
                for n, (real, imaginary) in enumerate(zip(*parts, strict=True)):
                    # A vector of one place, or of several where they have fewer results than there are lanes.
                    target = n * radix * run + first * run if group == places else n * lanes
                    write((real, imaginary), b.add(start, target))

    def _steps(self, radix: int, run: int) -> Callable[[int, Index], Complex]:
        """Powers p j of the root for the lanes of the vector at p run: from a table, or for long transforms those
        of its first place times those of the other places from there."""
        b, vectors, rest = self.b, self.vectors, self.n // run
        apart = self.n // radix
        is_short = apart * (radix - 1) <= TABLE
        count = rest // radix if is_short else self.lanes // run
        values = [
            cmath.exp(-2j * math.pi * (p * j % rest) / rest)
            for j in range(1, radix)
            for p in range(count)
            for _ in range(run)
        ]
        table = self.numbers.table(f"fft_{self.numbers.dtype.name}_{rest}_by_{radix}_runs_{run}_{count}", values)
        if is_short:
            return lambda j, at: vectors.load(table, b.add(at, (j - 1) * apart))

        def product(j: int, at: Index) -> Complex:
            first = vectors.splat(self.numbers.power(rest, b.mul(b.div(at, run), j)))
            return vectors.mul(first, vectors.load(table, (j - 1) * self.lanes))

        return product
