"""Arithmetic on integers that are limbs, the least first: operations on each limb, and what passes between them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce

from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import IndexType, IntegerType, i1
from xdsl.ir import Block, Region, SSAValue

from hologram.dialects.verbs import BitVerbs, Verb
from hologram.lowering.rewriting.conversion import Rewriter
from hologram.lowering.rewriting.core_builder import Core

Limbs = tuple[SSAValue, ...]


class LimbCode(BitVerbs[Limbs, Limbs]):
    """Emits limb by limb. All limbs have `width` bits."""

    def __init__(self, rw: Rewriter, width: int):
        self.core = Core(rw)
        self.rw = rw
        self.width = width
        self.limb = IntegerType(width)

    def number(self, value: int, count: int) -> Limbs:
        """A constant."""
        mask = (1 << self.width) - 1
        return tuple(self.core.constant((value >> (self.width * n)) & mask, self.limb) for n in range(count))

    def one(self, value: int) -> SSAValue:
        """A constant limb."""
        return self.core.constant(value, self.limb)

    def binary(self, verb: Verb, a: Limbs, b: Limbs) -> Limbs:
        """Sums with carries, products row by row, quotients bit by bit. Shifts take the amount from b's least limb."""
        match verb:
            case "and" | "or" | "xor":
                return self.each(partial(self.core.binary, verb), a, b)
            case "add":
                return self.sum(a, b)
            case "sub":
                return self.sum(a, self.complement(b), self.core.constant(1, i1))
            case "mul":
                return self._product(a, b)
            case "min" | "smin":
                return self.select(self.below(a, b, signed=verb == "smin"), a, b)
            case "max" | "smax":
                return self.select(self.below(a, b, signed=verb == "smax"), b, a)
            case "div" | "rem":
                return self._divided(a, b)[verb == "rem"]
            case "sdiv" | "srem":
                # The quotient is negative where the signs differ, the remainder where a is.
                result = self._divided(self.magnitude(a), self.magnitude(b))[verb == "srem"]
                top = self.core.xor(a[-1], b[-1]) if verb == "sdiv" else a[-1]
                return self.select(self.is_negative((top,)), self.negate(result), result)
            case "shl" | "shr" | "ashr":
                fill = self.sign(a) if verb == "ashr" else self.one(0)
                return self.shift(a, b[0], left=verb == "shl", fill=fill)

    # Bits

    def each(self, operation: Callable[[SSAValue, SSAValue], SSAValue], a: Limbs, b: Limbs) -> Limbs:
        """An operation without anything between the limbs."""
        return tuple(operation(x, y) for x, y in zip(a, b, strict=True))

    def select(self, condition: SSAValue, a: Limbs, b: Limbs) -> Limbs:
        """a where the condition holds, else b."""
        return self.each(lambda x, y: x if x is y else self.core.select(condition, x, y), a, b)

    def complement(self, a: Limbs) -> Limbs:
        """All bits the other way."""
        return tuple(self.core.xor(x, -1) for x in a)

    def is_negative(self, a: Limbs) -> SSAValue:
        """Return whether the highest bit is set."""
        return self.core.compare("slt", a[-1], 0)

    def sign(self, a: Limbs) -> SSAValue:
        """A limb of sign bits."""
        return self.core.ashr(a[-1], self.width - 1)

    # Sums

    def sum(self, a: Limbs, b: Limbs, carry: SSAValue | None = None) -> Limbs:
        """a + b, and 1 more where a carry comes in."""
        core, limbs = self.core, list[SSAValue]()
        for n, (x, y) in enumerate(zip(a, b, strict=True)):
            total = core.add(x, y)
            over = core.compare("ult", total, x)
            if carry is not None:
                one = core.select(carry, self.one(1), self.one(0))
                more = core.add(total, one)
                over = core.either(over, core.compare("ult", more, total))
                total = more
            limbs.append(total)
            carry = over if n < len(a) - 1 else None
        return tuple(limbs)

    def negate(self, a: Limbs) -> Limbs:
        """-a."""
        return self.sub(self.number(0, len(a)), a)

    def magnitude(self, a: Limbs) -> Limbs:
        """|a|."""
        return self.select(self.is_negative(a), self.negate(a), a)

    # Products

    def _wide_product(self, x: SSAValue, y: SSAValue) -> tuple[SSAValue, SSAValue]:
        product = self.rw.emit(arith.MulUIExtendedOp(x, y))
        return product.results[0], product.results[1]

    def _product(self, a: Limbs, b: Limbs) -> Limbs:
        """a * b, row by row."""
        core, count = self.core, len(a)
        limbs: list[SSAValue] = [self.one(0)] * count
        for i in range(count):
            carry: SSAValue = self.one(0)
            for j in range(count - i):
                if i + j == count - 1:  # What goes beyond is cut.
                    low = core.mul(a[i], b[j])
                    limbs[-1] = core.add(core.add(limbs[-1], low), carry)
                    break
                low, high = self._wide_product(a[i], b[j])
                total = core.add(low, carry)
                first = core.compare("ult", total, low)
                more = core.add(limbs[i + j], total)
                second = core.compare("ult", more, total)
                limbs[i + j] = more
                # A product of limbs and two more of them fit in two limbs.
                for over in (first, second):
                    high = core.add(high, core.select(over, self.one(1), self.one(0)))
                carry = high
        return tuple(limbs)

    # Comparisons

    def equal(self, a: Limbs, b: Limbs) -> SSAValue:
        """Return whether all bits are the same."""
        different = [self.core.xor(x, y) for x, y in zip(a, b, strict=True)]
        return self.core.compare("eq", reduce(self.core.either, different), 0)

    def below(self, a: Limbs, b: Limbs, *, signed: bool) -> SSAValue:
        """Return whether a < b."""
        core = self.core
        result: SSAValue | None = None
        for n, (x, y) in enumerate(zip(a, b, strict=True)):
            less = core.compare("slt" if signed and n == len(a) - 1 else "ult", x, y)
            if result is not None:
                less = core.either(less, core.both(core.compare("eq", x, y), result))
            result = less
        assert result is not None
        return result

    # Shifts

    def shift(self, a: Limbs, amount: SSAValue, *, left: bool, fill: SSAValue) -> Limbs:
        """Shifted by a limb's number of bits, less than all there are; `fill` comes in from above."""
        core = self.core
        bits = core.both(amount, self.width - 1)
        whole = core.shr(amount, self.width.bit_length() - 1)
        step = 1
        while step < len(a):
            moves = core.compare("ne", core.both(whole, step), 0)
            a = self.select(moves, self._moved(a, step, left, fill), a)
            step *= 2
        rest = core.sub(self.width - 1, bits)
        near, far = (core.shl, core.shr) if left else (core.shr, core.shl)
        beside = self._moved(a, 1, left, fill)
        # In two steps, for all bits at once would be too many.
        spilled = [far(far(x, 1), rest) for x in beside]
        return tuple(core.either(near(x, bits), y) for x, y in zip(a, spilled, strict=True))

    def _moved(self, a: Limbs, count: int, left: bool, fill: SSAValue) -> Limbs:
        kept = max(len(a) - count, 0)
        if left:
            return (*[self.one(0)] * (len(a) - kept), *a[:kept])
        return (*a[len(a) - kept :], *[fill] * (len(a) - kept))

    # Counts

    def leading_zeros(self, a: Limbs) -> Limbs:
        """The zeros above the highest one."""
        core = self.core
        count = self.one(len(a) * self.width)
        for n, x in enumerate(a):
            here = core.add(core.op(math.CountLeadingZerosOp(x)), (len(a) - 1 - n) * self.width)
            count = core.select(core.compare("eq", x, 0), count, here)
        return (count, *self.number(0, len(a) - 1))

    def trailing_zeros(self, a: Limbs) -> Limbs:
        """The zeros below the lowest one."""
        core = self.core
        count = self.one(len(a) * self.width)
        for n, x in reversed(list(enumerate(a))):
            here = core.add(core.op(math.CountTrailingZerosOp(x)), n * self.width)
            count = core.select(core.compare("eq", x, 0), count, here)
        return (count, *self.number(0, len(a) - 1))

    def ones(self, a: Limbs) -> Limbs:
        """Count the ones."""
        count = self.core.op(math.CtPopOp(a[0]))
        for x in a[1:]:
            count = self.core.add(count, self.core.op(math.CtPopOp(x)))
        return (count, *self.number(0, len(a) - 1))

    # Division

    def _divided(self, a: Limbs, b: Limbs) -> tuple[Limbs, Limbs]:
        """Quotient and remainder, bit by bit: a bit of a goes from the top of the quotient's place to the remainder."""
        count = len(a)
        index = IndexType()
        low, high, step = (self.core.constant(n, index) for n in (0, count * self.width, 1))
        body = Block(arg_types=[index, *[self.limb] * (2 * count)])
        outer = self.rw.insertion_block
        self.rw.move_to(body)
        quotient, rest = tuple(body.args[1 : 1 + count]), tuple(body.args[1 + count :])
        one = self.one(1)
        carried = self.core.shr(quotient[-1], self.width - 1)
        # The bit that the remainder loses: with it, it is greater than any divisor.
        lost = self.is_negative(rest)
        quotient = self.shift(quotient, one, left=True, fill=self.one(0))
        rest = self.shift(rest, one, left=True, fill=self.one(0))
        rest = (self.core.either(rest[0], carried), *rest[1:])
        fits = self.core.either(lost, self.core.xor(self.below(rest, b, signed=False), 1))
        rest = self.select(fits, self.sub(rest, b), rest)
        bit = self.core.select(fits, one, 0)
        quotient = (self.core.either(quotient[0], bit), *quotient[1:])
        self.rw.emit(scf.YieldOp(*quotient, *rest))
        self.rw.move_to(outer)
        loop = self.rw.emit(scf.ForOp(low, high, step, [*a, *self.number(0, count)], Region(body)))
        return tuple(loop.results[:count]), tuple(loop.results[count:])
