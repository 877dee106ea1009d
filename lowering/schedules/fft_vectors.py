"""Fourier transforms on explicit vectors: arithmetic on complex numbers, and whole transforms of powers of two.

A transform goes through Stockham's stages. In the first ones the runs of neighbours are shorter than a vector: a vector
holds those of several places, and what a stage gives is put in order in registers. The first stage reads pairs of real
and imaginary parts, the last one writes them; between lie planes.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects import vector as xdsl_vector
from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.ir import SSAValue

from hologram.lowering.schedules.builder import Index
from hologram.lowering.schedules.fft_stages import Complex, Fourier, radices
from hologram.lowering.schedules.vectors import Vectors

Read = Callable[[Index], Complex]
Write = Callable[[Complex, Index], None]
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
        """What emits the parts."""
        return Vectors(self.b, self.dtype, self.lanes)

    def add(self, x: Complex, y: Complex) -> Complex:
        return self.v.add(x[0], y[0]), self.v.add(x[1], y[1])

    def sub(self, x: Complex, y: Complex) -> Complex:
        real, imaginary = (self.b.op(arith.SubfOp(p, q)) for p, q in zip(x, y, strict=True))
        return real, imaginary

    def mul(self, x: Complex, y: Complex) -> Complex:
        v = self.v
        below = self.b.op(arith.NegfOp(v.multiply(x[1], y[1])))
        return v.multiply_add(x[0], y[0], below), v.multiply_add(x[0], y[1], v.multiply(x[1], y[0]))

    def scaled(self, x: Complex, factor: float) -> Complex:
        if factor == 1:
            return x
        number = self.number(factor)
        return self.v.multiply(x[0], number), self.v.multiply(x[1], number)

    def turned(self, x: Complex) -> Complex:
        return x[1], self.b.op(arith.NegfOp(x[0]))

    def number(self, value: float) -> SSAValue:
        """A real constant in all lanes."""
        return self.v.splat(self.b.constant(value, self.dtype))

    def splat(self, x: Complex) -> Complex:
        """A complex number in all lanes."""
        return self.v.splat(x[0]), self.v.splat(x[1])

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
        """What `load_pairs` undoes."""
        lanes = self.lanes
        for start in (0, lanes // 2):
            order = [n + part * lanes for n in range(start, start + lanes // 2) for part in (0, 1)]
            self.v.store(self.shuffled(*value, order), target, [*place, self.b.add(at, 2 * start)])

    def interleaved(self, rows: Sequence[SSAValue], run: int) -> list[SSAValue]:
        """The first runs of all rows, then the second ones, and so on, as vectors; their count is a power of two."""
        if len(rows) == 1:
            return list(rows)
        lanes = self.lanes
        made: list[SSAValue] = []
        for x, y in zip(self.interleaved(rows[::2], run), self.interleaved(rows[1::2], run), strict=True):
            for start in (0, lanes // 2):
                ends = range(start, start + lanes // 2, run)
                made.append(self.shuffled(x, y, [n + part for n in ends for part in _both(run, lanes)]))
        return made


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
        """From x to y, in whose last axis real and imaginary parts lie side by side, by way of planes."""
        self._stages(
            lambda at: self._read(x, place, at), data, other, lambda value, at: self._write(value, y, place, at)
        )

    def planes(self, data: Complex, other: Complex) -> Complex:
        """In planes, of which those with the result are given back; always forward."""
        target = other if len(self.radices) % 2 else data
        self._stages(self._reader(data), data, other, self._writer(target))
        return target

    def _stages(self, read: Read, data: Complex, other: Complex, write: Write) -> None:
        run, rest = 1, self.n
        for radix in self.radices:
            to = write if rest == radix else self._writer(other)
            if run < self.lanes:
                self._short(radix, run, read, to)
            else:
                self._long(radix, run, read, to)
            data, other = other, data
            read, run, rest = self._reader(data), run * radix, rest // radix

    def _reader(self, plane: Complex) -> Read:
        return lambda at: self.vectors.load(plane, at)

    def _writer(self, plane: Complex) -> Write:
        return lambda value, at: self.vectors.store(value, plane, at)

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
            found = vectors.dft([read(b.add(at, k * apart)) for k in range(radix)])
            found = [vectors.mul(value, steps(j, at)) if j else value for j, value in enumerate(found)]
            start = b.mul(at, radix)
            for first in range(0, radix, group):
                rows = found[first : first + group]
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

    def _long(self, radix: int, run: int, read: Read, write: Write) -> None:
        """A stage with runs of whole vectors."""
        b, vectors = self.b, self.vectors
        rest = self.n // run
        part = rest // radix
        with b.loop(0, part, name="p") as p:
            steps = [vectors.splat(self.numbers.power(rest, b.mul(p, j))) for j in range(1, radix)] if part > 1 else []
            source, target = b.mul(p, run), b.mul(p, run * radix)
            with b.loop(0, run, self.lanes, name="q", as_it_is=True) as q:
                z = [read(b.add(b.add(source, k * part * run), q)) for k in range(radix)]
                for j, value in enumerate(vectors.dft(z)):
                    turned = vectors.mul(value, steps[j - 1]) if j and steps else value
                    write(turned, b.add(b.add(target, j * run), q))
