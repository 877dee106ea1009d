"""Classes by integer arithmetic (classes.md section 2): formulas over values of one integer type, alone or in vectors.

Everything is computed, not looked up: no target needs a table, and all of it vectorises. The values are in range and
read as unsigned; an 8-bit type is wide enough but for addresses.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from hologram import classes
from hologram.lowering.core_builder import Core, i1, shaped


class Numbers:
    """Short names for arithmetic with constants of a value's type."""

    def __init__(self, core: Core):
        self.core = core

    def add(self, a: SSAValue, n: int) -> SSAValue:
        """a + n."""
        return self.core(arith.AddiOp(a, self.core.constant(n, a.type))) if n else a

    def sum(self, *parts: SSAValue) -> SSAValue:
        """All parts."""
        total, *rest = parts
        for part in rest:
            total = self.core(arith.AddiOp(total, part))
        return total

    def times(self, a: SSAValue, n: int) -> SSAValue:
        """a * n."""
        return self.core(arith.MuliOp(a, self.core.constant(n, a.type))) if n != 1 else a

    def over(self, a: SSAValue, n: int) -> SSAValue:
        """a / n, a shift where n is a power of two."""
        if n & (n - 1) == 0:
            return self.core(arith.ShRUIOp(a, self.core.constant(n.bit_length() - 1, a.type))) if n > 1 else a
        return self.core(arith.DivUIOp(a, self.core.constant(n, a.type)))

    def rest(self, a: SSAValue, n: int) -> SSAValue:
        """a modulo n, bits where n is a power of two."""
        if n & (n - 1) == 0:
            return self.core.both(a, self.core.constant(n - 1, a.type))
        return self.core(arith.RemUIOp(a, self.core.constant(n, a.type)))

    def is_(self, a: SSAValue, n: int) -> SSAValue:
        """Whether a is n."""
        return self.core.compare("eq", a, self.core.constant(n, a.type))

    def choose(self, condition: SSAValue, n: int, a: SSAValue) -> SSAValue:
        """n where the condition holds, else a."""
        return self.core.select(condition, self.core.constant(n, a.type), a)

    def wrapped(self, a: SSAValue, end: int) -> SSAValue:
        """a below 2 `end`, modulo `end`."""
        past = self.core.compare("uge", a, self.core.constant(end, a.type))
        return self.core.select(past, self.add(a, -end), a)


def check(core: Core, c: SSAValue) -> SSAValue:
    """The class itself."""
    return c


# Bytes


def _below_three(n: Numbers, two_bits: SSAValue) -> SSAValue:
    """Two bits modulo 3."""
    return n.choose(n.is_(two_bits, 3), 0, two_bits)


def classify(core: Core, byte: SSAValue) -> SSAValue:
    """24 h2 + 8 d + l of a byte's bits."""
    n = Numbers(core)
    h2, bits, l = n.over(byte, 64), n.rest(n.over(byte, 16), 4), n.rest(n.over(byte, 2), 8)  # noqa: E741
    return n.sum(n.times(h2, 24), n.times(_below_three(n, bits), 8), l)


def graph_class(core: Core, byte: SSAValue) -> SSAValue:
    """48 e1 + 24 e2 + 12 e3 + 6 e6 + 3 e7 + t of a byte's bits: each factor is twice the next, so the bits are turned
    round."""
    n = Numbers(core)
    steps = (*classes.EDGE_STEPS.values(), classes.MIRROR_STEP)
    bits = [n.times(n.rest(n.over(byte, 1 << place), 2), step) for place, step in enumerate(steps)]
    return n.sum(*bits, _below_three(n, n.rest(n.over(byte, 32), 4)))


def _parts(n: Numbers, c: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]:
    """h2, d and l of a sigil class."""
    eighths = n.over(c, 8)
    return n.over(c, 24), n.rest(eighths, 3), n.rest(c, 8)


def canonical_byte(core: Core, c: SSAValue) -> SSAValue:
    """64 h2 + 16 d + 2 l."""
    n = Numbers(core)
    h2, d, l = _parts(n, c)  # noqa: E741
    return n.sum(n.times(h2, 64), n.times(d, 16), n.times(l, 2))


def digits(core: Core, c: SSAValue) -> tuple[SSAValue, ...]:
    """The digits of a label: those of the class, h2, d and l."""
    n = Numbers(core)
    return n.over(c, 10), n.rest(c, 10), *_parts(n, c)


# Transforms


def transform(element: classes.Transform, core: Core, c: SSAValue) -> SSAValue:
    """R^r D^d T^t M, each part only where it does something."""
    n = Numbers(core)
    if element.d or element.mirror:
        _, d, _ = _parts(n, c)
        moved = d
        if element.mirror:
            moved = core.select(n.is_(d, 0), d, core(arith.SubiOp(core.constant(3, d.type), d)))
        if element.d:
            moved = n.wrapped(n.add(moved, element.d), 3)
        c = n.sum(core(arith.SubiOp(c, n.times(d, 8))), n.times(moved, 8))
    if element.t:
        low = n.rest(c, 8)
        c = n.sum(core(arith.SubiOp(c, low)), n.rest(n.add(low, element.t), 8))
    return n.wrapped(n.add(c, 24 * element.r), classes.CLASS_COUNT) if element.r else c


def rotate(core: Core, c: SSAValue, k: SSAValue) -> SSAValue:
    """R^k: 4 divides the number of values of k's type, so its lowest bits are its rest."""
    n = Numbers(core)
    return n.wrapped(n.sum(c, n.times(n.rest(k, 4), 24)), classes.CLASS_COUNT)


def triality(core: Core, c: SSAValue, k: SSAValue) -> SSAValue:
    """D^k: the rest of a signed k modulo 3, brought above 0."""
    n = Numbers(core)
    rest = core(arith.RemSIOp(k, core.constant(3, k.type)))
    negative = core.compare("slt", rest, core.constant(0, k.type))
    power = core.select(negative, n.add(rest, 3), rest)
    _, d, _ = _parts(n, c)
    moved = n.wrapped(n.sum(d, power), 3)
    return n.sum(core(arith.SubiOp(c, n.times(d, 8))), n.times(moved, 8))


def twist(core: Core, c: SSAValue, k: SSAValue) -> SSAValue:
    """T^k: the lowest three bits of the sum."""
    n = Numbers(core)
    low = n.rest(c, 8)
    return n.sum(core(arith.SubiOp(c, low)), n.rest(n.sum(low, k), 8))


def sigil_mirror(core: Core, c: SSAValue) -> SSAValue:
    """M."""
    return transform(classes.Transform(mirror=True), core, c)


# The graph


def _upper(n: Numbers, c: SSAValue, step: int) -> SSAValue:
    """Whether a class is on the upper side of a flip by `step`."""
    return n.core.compare("ne", n.rest(n.over(c, step), 2), n.core.constant(0, c.type))


def mirror(core: Core, c: SSAValue) -> SSAValue:
    """3 up or down."""
    step = core.constant(-classes.MIRROR_STEP, c.type)
    n = Numbers(core)
    upper = _upper(n, c, classes.MIRROR_STEP)
    return n.sum(c, core.select(upper, step, core.constant(classes.MIRROR_STEP, c.type)))


def is_unity(core: Core, c: SSAValue) -> SSAValue:
    """One of two classes."""
    first, second = (Numbers(core).is_(c, one) for one in classes.UNITY)
    return core.either(first, second)


def degree(core: Core, c: SSAValue) -> SSAValue:
    """6 where d45 is 0, else 5."""
    n = Numbers(core)
    fewer = core.constant(classes.MAX_DEGREE - 1, c.type)
    return n.choose(n.is_(n.rest(c, 3), 1), classes.MAX_DEGREE, fewer)


def neighbour(core: Core, c: SSAValue, i: SSAValue) -> SSAValue:
    """The neighbour with number i, 0 past the last one.

    From the greatest step down to the greatest up: those that a class can take give its neighbours in ascending order,
    and counting them gives each its number.
    """
    n = Numbers(core)
    zero, one, middle = core.constant(0, c.type), core.constant(1, c.type), n.rest(c, 3)
    flag = core.constant(1, shaped(c.type, i1))
    flips = [(step, _upper(n, c, step)) for step in classes.EDGE_STEPS.values()]
    down = [(-step, upper) for step, upper in flips]
    between = [(-1, core.compare("ne", middle, zero)), (1, core.compare("ne", middle, core.constant(2, c.type)))]
    up = [(step, core(arith.XOrIOp(upper, flag))) for step, upper in reversed(flips)]
    found, number = zero, zero
    for step, possible in (*down, *between, *up):
        here = core.both(possible, core.compare("eq", number, i))
        found = core.select(here, n.add(c, step), found)
        number = n.sum(number, core.select(possible, one, zero))
    return found


# Addresses


def address(core: Core, c: SSAValue, page: SSAValue, byte: SSAValue) -> SSAValue:
    """c * 12288 + page * 256 + byte."""
    n = Numbers(core)
    return n.sum(n.times(c, classes.BYTES_PER_CLASS), n.times(page, classes.BYTES_PER_PAGE), byte)


def address_class(core: Core, address: SSAValue) -> SSAValue:
    """The address by the bytes of a class."""
    return Numbers(core).over(address, classes.BYTES_PER_CLASS)


def address_page(core: Core, address: SSAValue) -> SSAValue:
    """The pages of an address modulo those of a class."""
    n = Numbers(core)
    return n.rest(n.over(address, classes.BYTES_PER_PAGE), classes.PAGES_PER_CLASS)


def address_byte(core: Core, address: SSAValue) -> SSAValue:
    """The lowest byte."""
    return Numbers(core).rest(address, classes.BYTES_PER_PAGE)
