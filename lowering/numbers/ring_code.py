"""Arithmetic of rings as integer code without division: what `convert-torus-to-atlas` and `convert-algebra-to-torus`
emit, for scalars and vectors (arith) and in the regions of array-level operations (atlas).

Every number comes with the greatest value that it may have, so sums and products stay unreduced as long as they fit,
and a remainder is the cheapest that the bound allows: none, a mask, one conditional subtraction, or a multiplication by
the reciprocal (Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.torus.base import integer_bits
from hologram.dialects.torus.types import element_of
from hologram.dialects.verbs import SHIFTS, SIGNED, BitVerbs, Operand, Verb
from hologram.lowering.rewriting.conversion import Rewriter
from hologram.lowering.rewriting.core_builder import Core, shaped
from hologram.lowering.rewriting.kernel_builder import Builder
from hologram.torus import Ring

WORD = 64
"""The widest integers that machines multiply."""
WIDEST = 4096


class Integers(BitVerbs[Operand, SSAValue]):
    """Emits operations on integers of 8 to 4,096 bits. Numbers stand for constants, on the right only."""

    @abstractmethod
    def constant(self, value: int, bits: int) -> SSAValue: ...

    @abstractmethod
    def resize(self, a: SSAValue, bits: int, *, signed: bool = False) -> SSAValue:
        """Truncated, or extended by the sign or by zeros; `index` counts as 64 bits."""

    @abstractmethod
    def where_negative(self, a: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue: ...

    @abstractmethod
    def emitted(self, verb: Verb, a: SSAValue, b: SSAValue) -> SSAValue: ...

    def binary(self, verb: Verb, a: Operand, b: Operand) -> SSAValue:
        assert isinstance(a, SSAValue)
        if b == 0 and verb in SHIFTS:
            return a
        bits = self.amount_bits if verb in SHIFTS else 0
        return self.emitted(verb, a, b if isinstance(b, SSAValue) else self.constant(int(b), bits or bits_of(a)))

    amount_bits = 0
    """The bits of what shifts go by; those of the integers if 0."""


def bits_of(value: SSAValue) -> int:
    """The bits of an integer, or of a vector's elements."""
    return integer_bits(value.type) or WORD


class RegionIntegers(Integers):
    """Scalar instructions of atlas."""

    amount_bits = 32

    def __init__(self, rw: Rewriter):
        self.at = Builder(rw)

    def constant(self, value: int, bits: int) -> SSAValue:
        attribute = IntegerAttr(value, IntegerType(bits), truncate_bits=True)
        return self.at.rw.once(("imm", value, bits), lambda: self.at.op(scalar.MovImmOp(attribute)))

    def emitted(self, verb: Verb, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.at.of(self._type(bits_of(a), verb in SIGNED)).binary(verb, a, b)

    def resize(self, a: SSAValue, bits: int, *, signed: bool = False) -> SSAValue:
        if isinstance(a.type, IndexType):
            a = self.at.op(arith.IndexCastOp(a, i64))
        return self.at.cvt(self._type(bits_of(a), signed), self._type(bits, signed), a)

    def where_negative(self, a: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
        bits = bits_of(a)
        below = self.at.of(self._type(bits, True)).compare("lt", a, self.constant(0, bits))
        return self.at.of(self._type(bits, False)).select(below, yes, no)

    @staticmethod
    def _type(bits: int, signed: bool) -> DType:
        return DTYPES[f"{'i' if signed else 'u'}{bits}"]


class CoreIntegers(Integers):
    """Operations of arith, on scalars or on vectors of the shape of `like`."""

    def __init__(self, rw: Rewriter, like: Any):
        self.core = Core(rw)
        self.like = like

    def constant(self, value: int, bits: int) -> SSAValue:
        wrapped = (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))
        return self.core.constant(wrapped, shaped(self.like, IntegerType(bits)))

    def emitted(self, verb: Verb, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.core.binary(verb, a, b)

    def resize(self, a: SSAValue, bits: int, *, signed: bool = False) -> SSAValue:
        if isinstance(element_of(a.type), IndexType):
            a = self.core.index_cast(a, shaped(a.type, i64))
        return self.core.resize(a, shaped(a.type, IntegerType(bits)), signed=signed)

    def where_negative(self, a: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
        return self.core.select(self.core.compare("slt", a, self.constant(0, bits_of(a))), yes, no)


@dataclass(frozen=True)
class Nat:
    """A number that is not negative, and the greatest value that it may have."""

    value: SSAValue
    bound: int


class RingCode:
    """Emits the arithmetic of rings."""

    def __init__(self, ints: Integers):
        self.ints = ints

    # Numbers with bounds

    def fit(self, *numbers: Nat, bound: int) -> list[SSAValue]:
        """The values in one type that holds `bound` too."""
        bits = max(width_of(bound), *(bits_of(n.value) for n in numbers))
        return [self.ints.resize(n.value, bits) for n in numbers]

    def add(self, a: Nat, b: Nat) -> Nat:
        """The sum, unreduced."""
        bound = a.bound + b.bound
        return Nat(self.ints.add(*self.fit(a, b, bound=bound)), bound)

    def mul(self, a: Nat, b: Nat) -> Nat:
        """The product, unreduced."""
        bound = a.bound * b.bound
        return Nat(self.ints.mul(*self.fit(a, b, bound=bound)), bound)

    def sub(self, a: Nat, b: Nat, modulus: int) -> Nat:
        """a - b with a multiple of the modulus added that keeps it from being negative."""
        above = -(-b.bound // modulus) * modulus
        (x,) = self.fit(a, bound=a.bound + above)
        lifted = Nat(self.ints.add(x, above) if above else x, a.bound + above)
        return Nat(self.ints.sub(*self.fit(lifted, b, bound=0)), a.bound + above)

    def mod(self, x: Nat, modulus: int) -> Nat:
        """The remainder."""
        rest = modulus - 1
        if x.bound < modulus:
            return x
        if modulus & rest == 0:
            return Nat(self.ints.both(x.value, rest), rest)
        if x.bound < 2 * modulus:
            # Below the modulus the difference wraps to something greater.
            return Nat(self.ints.min(x.value, self.ints.sub(x.value, modulus)), rest)
        twos = (modulus & -modulus).bit_length() - 1
        bits = bits_of(x.value)
        for width in [w for w in (8, 16, 32, WORD) if w >= bits]:
            for shift in (0, twos):
                if (magic := reciprocal(x.bound >> shift, modulus >> shift, width)) is not None:
                    return self._by_reciprocal(x, modulus, shift, width, magic)
        half = x.bound.bit_length() // 2
        weight = (1 << half) % modulus
        folded = (1 << half) - 1 + (x.bound >> half) * weight
        if bits <= WORD and folded < x.bound >> 2:
            low = Nat(self.ints.both(x.value, (1 << half) - 1), (1 << half) - 1)
            high = Nat(self.ints.shr(x.value, half), x.bound >> half)
            return self.mod(self.add(low, self._times(high, weight)), modulus)
        return Nat(self.ints.rem(x.value, modulus), rest)

    def _by_reciprocal(self, x: Nat, modulus: int, shift: int, width: int, magic: tuple[int, int]) -> Nat:
        factor, down = magic
        value = self.ints.resize(x.value, width)
        quotient = self.ints.shr(self.ints.mul(self.ints.shr(value, shift), factor), down)
        return Nat(self.ints.sub(value, self.ints.mul(quotient, modulus)), modulus - 1)

    def _times(self, x: Nat, factor: int) -> Nat:
        """A product by a constant that is known to fit."""
        if factor & (factor - 1) == 0:
            return Nat(self.ints.shl(x.value, factor.bit_length() - 1), x.bound * factor) if factor else x
        return Nat(self.ints.mul(x.value, factor), x.bound * factor)

    # Elements

    def components(self, ring: Ring, packed: SSAValue) -> list[Nat]:
        """The components of an element."""
        mask = (1 << ring.width) - 1
        last = len(ring.moduli) - 1
        parts: list[Nat] = []
        for number, modulus in enumerate(ring.moduli):
            part = self.ints.shr(packed, ring.width * number)
            parts.append(Nat(part if number == last else self.ints.both(part, mask), modulus - 1))
        return parts

    def pack(self, ring: Ring, components: Sequence[Nat]) -> SSAValue:
        """The element with these components, which are reduced here."""
        parts = [
            self.ints.resize(self.mod(c, m).value, ring.bits) for c, m in zip(components, ring.moduli, strict=True)
        ]
        packed = parts[0]
        for number, part in enumerate(parts[1:], start=1):
            packed = self.ints.either(packed, self.ints.shl(part, ring.width * number))
        return packed

    def project(self, ring: Ring, n: SSAValue, *, signed: bool) -> list[Nat]:
        """The components of an integer's projection."""
        moduli = ring.moduli
        greatest = max(moduli)
        if any(greatest % m for m in moduli):
            return [self.remainder(n, m, signed=signed) for m in moduli]
        rest = self.remainder(n, greatest, signed=signed)
        # What follows works on as many more lanes at once.
        short = Nat(self.ints.resize(rest.value, ring.bits), rest.bound)
        return [self.mod(short, m) for m in moduli]

    def remainder(self, n: SSAValue, modulus: int, *, signed: bool) -> Nat:
        """An integer modulo a constant, Euclidean."""
        bits = bits_of(n)
        if modulus & (modulus - 1) == 0 and modulus <= 1 << bits:
            kept = self.ints.resize(n, bits)
            return Nat(self.ints.both(kept, modulus - 1), modulus - 1)
        if modulus.bit_length() > 24:
            return self._divided(n, modulus, signed)
        if bits == WORD and modulus % 3 == 0 and self._is_thirds(modulus // 3):
            return self._thirds(n, modulus, signed)
        if bits <= 32:
            return self.mod(self._biased(n, modulus, signed), modulus)
        return self.mod(self._folded(n, modulus, signed), modulus)

    def _biased(self, n: SSAValue, modulus: int, signed: bool) -> Nat:
        """A short integer plus a multiple of the modulus."""
        bits = bits_of(n)
        above = -(-(1 << (bits - 1)) // modulus) * modulus if signed else 0
        bound = above + (1 << (bits - signed)) - 1
        value = self.ints.resize(n, width_of(bound), signed=signed)
        return Nat(self.ints.add(value, above) if above else value, bound)

    @staticmethod
    def _is_thirds(twos: int) -> bool:
        """Return whether `_thirds` takes three times so many."""
        return 32 <= twos <= 1 << 31 and twos & (twos - 1) == 0

    def _thirds(self, n: SSAValue, modulus: int, signed: bool) -> Nat:
        """An integer of 64 bits modulo 3 * 2^s: bits s and up modulo 3, above the s lowest bits.

        With q = n >> s, 2^28 is 1 modulo 3, so t = (q mod 2^28) + (q >> 28) + 2^28 c is q + c. c is 1 modulo 3, and
        such that 2^26 < t < 3.01 * 2^30 for s from 5 up. t (2^32 - 1) / 3 modulo 2^32 lies below t mod 3 thirds of 2^32
        by t / 3, which is more than nothing and less than one third; so its three thirds count t - 1 = q modulo 3.
        """
        ints, twos = self.ints, modulus // 3
        s = twos.bit_length() - 1
        n = ints.resize(n, WORD)
        low = ints.either(ints.both(ints.shr(n, s), (1 << 28) - 1), (7 if signed else 1) << 28)
        high = (ints.ashr if signed else ints.shr)(n, s + 28)
        total = ints.both(ints.add(low, high), (1 << 32) - 1)
        thirds = ints.both(ints.mul(total, ((1 << 32) - 1) // 3), (1 << 32) - 1)
        above = ints.shr(ints.mul(thirds, modulus), 32)
        # The bits of n where the mask has them, else those above: one operation where vectors have such.
        chosen = ints.xor(ints.both(ints.xor(n, above), twos - 1), above)
        return Nat(chosen, modulus - 1)

    def _folded(self, n: SSAValue, modulus: int, signed: bool) -> Nat:
        """The digits to the base of 2^32, each times what that power is modulo the modulus, in 64 bits."""
        n = self.ints.resize(n, bits_of(n))
        bits = bits_of(n)
        if signed:
            # Adds 2^(bits - 1), so the number counts from the least one.
            n = self.ints.xor(n, 1 << (bits - 1))
        total = Nat(self._digit(n, 0), (1 << 32) - 1)
        for number in range(1, bits // 32):
            digit = Nat(self._digit(n, number), (1 << 32) - 1)
            total = self.add(total, self._times(digit, (1 << 32 * number) % modulus))
        bias = -(1 << (bits - 1)) % modulus if signed else 0
        return Nat(self.ints.add(total.value, bias), total.bound + bias) if bias else total

    def _digit(self, n: SSAValue, number: int) -> SSAValue:
        bits = bits_of(n)
        moved = self.ints.resize(self.ints.shr(n, 32 * number), WORD)
        return moved if bits == 32 * (number + 1) else self.ints.both(moved, (1 << 32) - 1)

    def _divided(self, n: SSAValue, modulus: int, signed: bool) -> Nat:
        """The remainder by the machine's division, for moduli that no product of ours fits."""
        bits = max(bits_of(n), width_of(modulus))
        wide = self.ints.resize(n, min(2 * bits, WIDEST) if bits < width_of(2 * modulus) else bits, signed=signed)
        if not signed:
            return Nat(self.ints.rem(wide, modulus), modulus - 1)
        rest = self.ints.srem(wide, modulus)
        return Nat(self.ints.where_negative(rest, self.ints.add(rest, modulus), rest), modulus - 1)


def reciprocal(bound: int, modulus: int, width: int) -> tuple[int, int] | None:
    """(f, k) with x // modulus == x * f >> k for all x up to `bound`, where the product fits in `width` bits."""
    for down in range(modulus.bit_length() - 1, width):
        factor = -(-(1 << down) // modulus)
        if bound * factor >> width:
            return None
        if bound * (factor * modulus - (1 << down)) < 1 << down:
            return factor, down
    return None


def width_of(bound: int) -> int:
    """The bits of the smallest type, of 8, 16, 32 and so on, that holds a bound."""
    bits = 8
    while bound >> bits:
        bits *= 2
    return bits
