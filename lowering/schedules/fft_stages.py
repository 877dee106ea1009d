"""Fourier transforms of lines that lie side by side: Stockham's stages, of any radix, and the powers of the root.

A plane is a flat memref of real or of imaginary parts: element j of line w is at j * lines + w.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType, StringAttr, TensorType, UnitAttr
from xdsl.ir import SSAValue

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.types import DType
from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.vectors import multiply_add

Complex = tuple[SSAValue, SSAValue]
"""The real and the imaginary part: numbers, or planes."""
WHOLE = 2048
"""Up to so many powers of a root stand in one table; of more, each is the product of two."""
LARGEST = 13
"""The greatest radix: longer primes take Bluestein's way."""


def radices(n: int) -> list[int]:
    """The radices of the stages, the large ones first; a last one above LARGEST says that there is a long prime."""
    found: list[int] = []
    twos = (n & -n).bit_length() - 1
    n >>= twos
    while twos:
        step = 3 if twos >= 3 and twos != 4 else min(twos, 2)
        found.append(1 << step)
        twos -= step
    for prime in (3, 5, 7, 11, 13):
        while n % prime == 0:
            found.append(prime)
            n //= prime
    return [*found, n] if n > 1 else found


@dataclass(frozen=True)
class Fourier:
    """Emits arithmetic on complex numbers of `dtype`."""

    b: Builder
    dtype: DType

    def number(self, value: float) -> SSAValue:
        """A real constant."""
        return self.b.constant(value, self.dtype)

    def add(self, x: Complex, y: Complex) -> Complex:
        """x + y."""
        real, imaginary = (self.b.op(scalar.AddOp(self.dtype, p, q)) for p, q in zip(x, y, strict=True))
        return real, imaginary

    def sub(self, x: Complex, y: Complex) -> Complex:
        """x - y."""
        real, imaginary = (self.b.op(scalar.SubOp(self.dtype, p, q)) for p, q in zip(x, y, strict=True))
        return real, imaginary

    def mul(self, x: Complex, y: Complex) -> Complex:
        """x * y."""
        b, t = self.b, self.dtype
        less = b.op(scalar.NegOp(t, b.op(scalar.MulOp(t, x[1], y[1]))))
        return multiply_add(b, t, x[0], y[0], less), multiply_add(b, t, x[0], y[1], b.op(scalar.MulOp(t, x[1], y[0])))

    def scaled(self, x: Complex, factor: float) -> Complex:
        """x times a real number."""
        if factor == 1:
            return x
        number = self.number(factor)
        real, imaginary = (self.b.op(scalar.MulOp(self.dtype, p, number)) for p in x)
        return real, imaginary

    def turned(self, x: Complex) -> Complex:
        """x * -i."""
        return x[1], self.b.op(scalar.NegOp(self.dtype, x[0]))

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
            self._stage(rest, radix, stride * lines, data, other)
            data, other = other, data
            stride, rest = stride * radix, rest // radix
        return data

    def _stage(self, n: int, radix: int, run: int, data: Complex, out: Complex) -> None:
        """Of `n` left to do: element p + k m, k < radix, to p radix + j, in runs of neighbours."""
        b, part = self.b, n // radix
        with b.loop(0, part, name="p") as p:
            steps = [self.power(n, b.mul(p, j)) for j in range(1, radix)] if part > 1 else []
            source, target = b.mul(p, run), b.mul(p, run * radix)
            with b.loop(0, run, name="q", vector=True) as q:
                z = [self.load(data, b.add(b.add(source, k * part * run), q)) for k in range(radix)]
                for j, value in enumerate(self.dft(z)):
                    turned = self.mul(value, steps[j - 1]) if j and steps else value
                    self.store(turned, out, b.add(b.add(target, j * run), q))


_PARTS = ("real", "imag")
