"""Classes by integer arithmetic (classes.md section 2): formulas over values of one integer type, alone or in vectors.

Everything is computed, not looked up: no target needs a table, and all of it vectorises. The values are in range and
read as unsigned; an 8-bit type is wide enough but for addresses.
"""

from __future__ import annotations

from functools import reduce

from xdsl.ir import SSAValue

from hologram import classes
from hologram.dialects.verbs import Operand, Verb
from hologram.lowering.rewriting.core_builder import Core, i1, shaped


class Numbers(Core):
    """Arithmetic in which known operands fold: 0 of sums, 1 of products, and powers of two that divide."""

    def binary(self, verb: Verb, a: Operand, b: Operand) -> SSAValue:
        if isinstance(b, int) and isinstance(a, SSAValue):
            if b == _NEUTRAL.get(verb):
                return a
            if verb == "div" and b & (b - 1) == 0:
                return self.shr(a, b.bit_length() - 1)
            if verb == "rem" and b & (b - 1) == 0:
                return self.both(a, b - 1)
        return super().binary(verb, a, b)

    def sum(self, *parts: SSAValue) -> SSAValue:
        """All parts."""
        return reduce(self.add, parts)

    def wrapped(self, a: SSAValue, end: int) -> SSAValue:
        """a below 2 `end`, modulo `end`."""
        past = self.compare("uge", a, end)
        return self.select(past, self.add(a, -end), a)


_NEUTRAL: dict[Verb, int] = {"add": 0, "mul": 1, "div": 1}


def check(n: Numbers, c: SSAValue) -> SSAValue:
    """The class itself."""
    return c


# Bytes


def _below_three(n: Numbers, two_bits: SSAValue) -> SSAValue:
    """Two bits modulo 3."""
    return n.select(n.compare("eq", two_bits, 3), 0, two_bits)


def classify(n: Numbers, byte: SSAValue) -> SSAValue:
    """24 h2 + 8 d + l of a byte's bits."""
    h2, bits, l = n.div(byte, 64), n.rem(n.div(byte, 16), 4), n.rem(n.div(byte, 2), 8)  # noqa: E741
    return n.sum(n.mul(h2, 24), n.mul(_below_three(n, bits), 8), l)


def graph_class(n: Numbers, byte: SSAValue) -> SSAValue:
    """48 e1 + 24 e2 + 12 e3 + 6 e6 + 3 e7 + t of a byte's bits: each factor is twice the next, so the bits are turned
    round."""
    steps = (*classes.EDGE_STEPS.values(), classes.MIRROR_STEP)
    bits = [n.mul(n.rem(n.div(byte, 1 << place), 2), step) for place, step in enumerate(steps)]
    return n.sum(*bits, _below_three(n, n.rem(n.div(byte, 32), 4)))


def _parts(n: Numbers, c: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]:
    """h2, d and l of a sigil class."""
    eighths = n.div(c, 8)
    return n.div(c, 24), n.rem(eighths, 3), n.rem(c, 8)


def canonical_byte(n: Numbers, c: SSAValue) -> SSAValue:
    """64 h2 + 16 d + 2 l."""
    h2, d, l = _parts(n, c)  # noqa: E741
    return n.sum(n.mul(h2, 64), n.mul(d, 16), n.mul(l, 2))


def digits(n: Numbers, c: SSAValue) -> tuple[SSAValue, ...]:
    """The digits of a label: those of the class, h2, d and l."""
    return n.div(c, 10), n.rem(c, 10), *_parts(n, c)


# Transforms


def transform(element: classes.Transform, n: Numbers, c: SSAValue) -> SSAValue:
    """R^r D^d T^t M, each part only where it does something."""
    if element.d or element.mirror:
        _, d, _ = _parts(n, c)
        moved = d
        if element.mirror:
            moved = n.select(n.compare("eq", d, 0), d, n.sub(3, d))
        if element.d:
            moved = n.wrapped(n.add(moved, element.d), 3)
        c = n.sum(n.sub(c, n.mul(d, 8)), n.mul(moved, 8))
    if element.t:
        low = n.rem(c, 8)
        c = n.sum(n.sub(c, low), n.rem(n.add(low, element.t), 8))
    return n.wrapped(n.add(c, 24 * element.r), classes.CLASS_COUNT) if element.r else c


def rotate(n: Numbers, c: SSAValue, k: SSAValue) -> SSAValue:
    """R^k: 4 divides the number of values of k's type, so its lowest bits are its rest."""
    return n.wrapped(n.sum(c, n.mul(n.rem(k, 4), 24)), classes.CLASS_COUNT)


def triality(n: Numbers, c: SSAValue, k: SSAValue) -> SSAValue:
    """D^k: the rest of a signed k modulo 3, brought above 0."""
    rest = n.srem(k, 3)
    negative = n.compare("slt", rest, 0)
    power = n.select(negative, n.add(rest, 3), rest)
    _, d, _ = _parts(n, c)
    moved = n.wrapped(n.sum(d, power), 3)
    return n.sum(n.sub(c, n.mul(d, 8)), n.mul(moved, 8))


def twist(n: Numbers, c: SSAValue, k: SSAValue) -> SSAValue:
    """T^k: the lowest three bits of the sum."""
    low = n.rem(c, 8)
    return n.sum(n.sub(c, low), n.rem(n.sum(low, k), 8))


def sigil_mirror(n: Numbers, c: SSAValue) -> SSAValue:
    """M."""
    return transform(classes.Transform(mirror=True), n, c)


# The graph


def _upper(n: Numbers, c: SSAValue, step: int) -> SSAValue:
    """A test whether a class is on the upper side of a flip by `step`."""
    return n.compare("ne", n.rem(n.div(c, step), 2), 0)


def mirror(n: Numbers, c: SSAValue) -> SSAValue:
    """3 up or down."""
    step = n.constant(-classes.MIRROR_STEP, c.type)
    upper = _upper(n, c, classes.MIRROR_STEP)
    return n.sum(c, n.select(upper, step, classes.MIRROR_STEP))


def is_unity(n: Numbers, c: SSAValue) -> SSAValue:
    """One of two classes."""
    first, second = (n.compare("eq", c, one) for one in classes.UNITY)
    return n.either(first, second)


def degree(n: Numbers, c: SSAValue) -> SSAValue:
    """6 where d45 is 0, else 5."""
    fewer = n.constant(classes.MAX_DEGREE - 1, c.type)
    return n.select(n.compare("eq", n.rem(c, 3), 1), classes.MAX_DEGREE, fewer)


def neighbour(n: Numbers, c: SSAValue, i: SSAValue) -> SSAValue:
    """The neighbour with number i, 0 past the last one.

    From the greatest step down to the greatest up: those that a class can take give its neighbours in ascending order,
    and counting them gives each its number.
    """
    zero, one, middle = n.constant(0, c.type), n.constant(1, c.type), n.rem(c, 3)
    flag = n.constant(1, shaped(c.type, i1))
    flips = [(step, _upper(n, c, step)) for step in classes.EDGE_STEPS.values()]
    down = [(-step, upper) for step, upper in flips]
    between = [(-1, n.compare("ne", middle, zero)), (1, n.compare("ne", middle, 2))]
    up = [(step, n.xor(upper, flag)) for step, upper in reversed(flips)]
    result, number = zero, zero
    for step, possible in (*down, *between, *up):
        here = n.both(possible, n.compare("eq", number, i))
        result = n.select(here, n.add(c, step), result)
        number = n.sum(number, n.select(possible, one, zero))
    return result


# Addresses


def address(n: Numbers, c: SSAValue, page: SSAValue, byte: SSAValue) -> SSAValue:
    """c * 12288 + page * 256 + byte."""
    return n.sum(n.mul(c, classes.BYTES_PER_CLASS), n.mul(page, classes.BYTES_PER_PAGE), byte)


def address_class(n: Numbers, address: SSAValue) -> SSAValue:
    """The address by the bytes of a class."""
    return n.div(address, classes.BYTES_PER_CLASS)


def address_page(n: Numbers, address: SSAValue) -> SSAValue:
    """The pages of an address modulo those of a class."""
    return n.rem(n.div(address, classes.BYTES_PER_PAGE), classes.PAGES_PER_CLASS)


def address_byte(n: Numbers, address: SSAValue) -> SSAValue:
    """The lowest byte."""
    return n.rem(address, classes.BYTES_PER_PAGE)
