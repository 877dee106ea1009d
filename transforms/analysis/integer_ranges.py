"""The analysis of integer ranges, of values at every level and of the elements of buffers.

A range is a pair of the least and the greatest number, both possible as far as is known. Values are signless, so the
same bits have a range as signed numbers and one as unsigned numbers. Vectors and tensors have those of their elements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from hologram.classes import CLASS_COUNT, MAX_DEGREE
from hologram.dialects.atlas.arrays.general import ArrayOp, MapOp, YieldOp
from hologram.dialects.atlas.instructions.instruction import ScalarOp
from hologram.dialects.atlas.instructions.scalar import CvtOp, MovImmOp, SetccOp
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.atlas.lanes.programs import ProgramOp
from hologram.dialects.shapes import is_dense, is_memref
from hologram.support.registry import Registry
from hologram.support.walking import enclosing
from hologram.transforms.analysis.dataflow import Analysis, Transfer

Range = tuple[int, int]
DEPTH = 8
"""How many buffers deep the elements of a buffer are followed to what they were computed from."""


class Kind(Protocol):
    """The way in which integers are read: a type of the ISA, or the same of another width."""

    @property
    def bits(self) -> int: ...
    @property
    def is_unsigned(self) -> bool: ...


class Integers(NamedTuple):
    """A kind of any width."""

    bits: int
    is_unsigned: bool = False


def bits_of(type: Attribute) -> int:
    """The width of an integer type, or of the elements of a shaped one; 64 of index, 0 of other types."""
    type = getattr(type, "element_type", type)
    return type.bitwidth if isinstance(type, IntegerType) else 64 if isinstance(type, IndexType) else 0


def whole(kind: Kind) -> Range:
    """All numbers of an integer type."""
    return (0, (1 << kind.bits) - 1) if kind.is_unsigned else (-(1 << (kind.bits - 1)), (1 << (kind.bits - 1)) - 1)


def fits(range: Range, kind: Kind) -> bool:
    """Return whether all numbers of a range are numbers of a type: nothing wraps."""
    least, greatest = whole(kind)
    return least <= range[0] and range[1] <= greatest


def wrapped(range: Range, kind: Kind) -> Range:
    """The numbers that a range becomes modulo 2^bits: moved as a whole, or all of the type's. So the bits of a range
    are read under another sign."""
    modulus = 1 << kind.bits
    turns = (range[0] - whole(kind)[0]) // modulus
    moved = range[0] - turns * modulus, range[1] - turns * modulus
    return moved if fits(moved, kind) else whole(kind)


# Scalar instructions: the exact range of the mathematical result, before it wraps


def _corners(function: Callable[[int, int], int]) -> Callable[[Kind, Range, Range], Range]:
    """Return the range rule of a function that is monotonic in each operand."""

    def bounds(kind: Kind, a: Range, b: Range) -> Range:
        corners = [function(x, y) for x in a for y in b]
        return min(corners), max(corners)

    return bounds


_times = _corners(int.__mul__)


def _sum(a: Range, b: Range) -> Range:
    return a[0] + b[0], a[1] + b[1]


def _negated(a: Range) -> Range:
    return -a[1], -a[0]


def _absolute(kind: Kind, a: Range) -> Range:
    if kind.is_unsigned:
        return a
    return (0 if a[0] <= 0 <= a[1] else min(abs(a[0]), abs(a[1]))), max(abs(a[0]), abs(a[1]))


def _minimum(kind: Kind, a: Range, b: Range) -> Range:
    return min(a[0], b[0]), min(a[1], b[1])


def _maximum(kind: Kind, a: Range, b: Range) -> Range:
    return max(a[0], b[0]), max(a[1], b[1])


def _clamp(kind: Kind, x: Range, low: Range, high: Range) -> Range:
    return _minimum(kind, _maximum(kind, x, low), high)


def _quotient(kind: Kind, a: Range, b: Range) -> Range:
    """Truncating; division by zero traps, so it gives nothing."""
    parts = [part for part in ((b[0], min(b[1], -1)), (max(b[0], 1), b[1])) if part[0] <= part[1]]
    if not parts:
        return whole(kind)
    quotients = [_truncated(x, y) for part in parts for x in a for y in part]
    return min(quotients), max(quotients)


def _truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(kind: Kind, a: Range, b: Range) -> Range:
    """The remainder has the sign of the dividend, and is less than the divisor."""
    most = max(abs(b[0]), abs(b[1])) - 1
    if most < 0:
        return whole(kind)
    return max(a[0], -most) if a[0] < 0 else 0, min(a[1], most) if a[1] > 0 else 0


def _and(kind: Kind, a: Range, b: Range) -> Range:
    bounds = [r[1] for r in (a, b) if r[0] >= 0]
    return (0, min(bounds)) if bounds else whole(kind)


def _or(kind: Kind, a: Range, b: Range) -> Range:
    if a[0] < 0 or b[0] < 0:
        return whole(kind)
    return max(a[0], b[0]), (1 << max(a[1].bit_length(), b[1].bit_length())) - 1


def _xor(kind: Kind, a: Range, b: Range) -> Range:
    if a[0] < 0 or b[0] < 0:
        return whole(kind)
    return 0, (1 << max(a[1].bit_length(), b[1].bit_length())) - 1


def _not(kind: Kind, a: Range) -> Range:
    if kind.is_unsigned:
        return whole(kind)[1] - a[1], whole(kind)[1] - a[0]
    return -1 - a[1], -1 - a[0]


def _shift_left(kind: Kind, a: Range, amount: Range) -> Range:
    amount = _amount(kind, amount)
    return _times(kind, a, (1 << amount[0], 1 << amount[1]))


def _shift_right(kind: Kind, a: Range, amount: Range) -> Range:
    return _corners(int.__rshift__)(kind, a, _amount(kind, amount))


def _amount(kind: Kind, amount: Range) -> Range:
    """The amount counts modulo the width."""
    return amount if 0 <= amount[0] and amount[1] < kind.bits else (0, kind.bits - 1)


_UNARY: dict[str, Callable[[Kind, Range], Range]] = {
    "abs": _absolute,
    "mov": lambda kind, a: a,
    "neg": lambda kind, a: _negated(a),
    "not": _not,
    "relu": lambda kind, a: (max(a[0], 0), max(a[1], 0)),
    "sign": lambda kind, a: ((a[0] > 0) - (a[0] < 0), (a[1] > 0) - (a[1] < 0)),
}
_BINARY: dict[str, Callable[[Kind, Range, Range], Range]] = {
    "add": lambda kind, a, b: _sum(a, b),
    "and": _and,
    "div": _quotient,
    "max": _maximum,
    "max.nan": _maximum,
    "min": _minimum,
    "min.nan": _minimum,
    "mul": _times,
    "or": _or,
    "rem": _remainder,
    "shl": _shift_left,
    "shr": _shift_right,
    "sub": lambda kind, a, b: _sum(a, _negated(b)),
    "xor": _xor,
}
_TERNARY: dict[str, Callable[[Kind, Range, Range, Range], Range]] = {
    "clamp": _clamp,
    "fma": lambda kind, a, b, c: _sum(_times(kind, a, b), c),
    "fms": lambda kind, a, b, c: _sum(_times(kind, a, b), _negated(c)),
    "mad": lambda kind, a, b, c: _sum(_times(kind, a, b), c),
    "sel": lambda kind, p, a, b: (min(a[0], b[0]), max(a[1], b[1])),
}
RULES: dict[str, Callable[..., Range]] = {**_UNARY, **_BINARY, **_TERNARY}
"""Of each instruction on integers: the range of its result as a number, from those of its operands as it reads them."""


# Values


@dataclass(frozen=True)
class Known:
    """The fact about a value: the ranges of its bits as signed and as unsigned numbers."""

    signed: Range
    unsigned: Range

    @staticmethod
    def of(range: Range, kind: Kind) -> Known:
        """The bits that are the numbers of a range, modulo 2^bits."""
        signed, unsigned = Integers(kind.bits), Integers(kind.bits, True)
        own = wrapped(range, kind)
        return Known(wrapped(own, signed), own) if kind.is_unsigned else Known(own, wrapped(own, unsigned))

    def read(self, kind: Kind) -> Range:
        """The range as an instruction of this type, which has the value's width, reads it."""
        return self.unsigned if kind.is_unsigned else self.signed


class Ranges(Analysis[Known | None]):
    """The ranges of integers, None for other values; `known` has those that are told from outside as well."""

    transfers = Registry[Transfer]()

    def __init__(self, known: Mapping[SSAValue, Known] | None = None) -> None:
        self.known = dict(known or {})

    def start(self, value: SSAValue) -> Known | None:
        """A constant, the number of an iteration, or all numbers of the type."""
        if not (bits := bits_of(value.type)):
            return None
        interval = _iteration(value) if isinstance(value.owner, Block) else constants(value)
        kind = Integers(bits)
        return Known.of(whole(kind) if interval is None else interval, kind)

    def follows(self, value: SSAValue) -> Transfer | None:
        return super().follows(value) if self.known[value] is not None else None

    def read(self, value: SSAValue, kind: Kind) -> Range:
        """The range of a value as an instruction of this type reads it."""
        known = self.of(value)
        return whole(kind) if known is None else known.read(kind)

    def exact(self, op: Operation, kind: Kind) -> Range:
        """The range of an instruction's result as a number, before it wraps; of unknown ones all of the type's."""
        if isinstance(op, ScalarOp):
            name, operands = op.INSTRUCTION.name, op.INSTRUCTION.operands.values()
            kinds = [kind if k == "T" else DTYPES[k] for k in operands]
        else:
            name, kinds = SIGNLESS[op.name], [kind] * len(op.operands)
        rule = RULES.get(name)
        if rule is None:
            return whole(kind)
        return rule(kind, *(self.read(value, k) for value, k in zip(op.operands, kinds, strict=True)))


def _iteration(value: SSAValue) -> Range | None:
    """The numbers of a loop's iterations, where their count is known."""
    assert isinstance(value, BlockArgument)
    loop = value.block.parent_op()
    if loop is None or loop.name != "atlas.loop" or value.index:
        return None
    count = constants(loop.operands[0])
    return (0, count[0] - 1) if count is not None and 0 < count[0] <= 1 << (bits_of(value.type) - 1) else None


def constants(value: SSAValue) -> Range | None:
    """The least and the greatest integer of a constant as it is written; None of what is none."""
    op: Any = value.owner
    if not isinstance(op, MovImmOp | arith.ConstantOp) and getattr(op, "name", "") != "hologram.constant":
        return None
    attribute: Any = op.properties["value"]
    if isinstance(attribute, IntegerAttr):
        return attribute.value.data, attribute.value.data
    if not is_dense(attribute) or not bits_of(value.type) or 0 in attribute.get_shape():
        return None
    numbers = [int(n) for n in attribute.get_values()]
    return min(numbers), max(numbers)


SIGNLESS: dict[str, str] = {
    "arith.addi": "add", "arith.subi": "sub", "arith.muli": "mul", "arith.andi": "and",
    "hologram.add": "add", "hologram.sub": "sub", "hologram.mul": "mul", "hologram.and": "and",
}  # fmt: skip
"""The instructions that operations on signless integers compute."""


@Ranges.transfers.on(*SIGNLESS)
def _of_signless(ranges: Ranges, op: Operation, result: SSAValue) -> Known:
    """Return the narrowest ranges that hold of the bits, however they are read."""
    signed, unsigned = Integers(bits_of(result.type)), Integers(bits_of(result.type), True)
    one, other = (Known.of(ranges.exact(op, kind), kind) for kind in (signed, unsigned))
    return Known(_narrower(one.signed, other.signed), _narrower(one.unsigned, other.unsigned))


def _narrower(a: Range, b: Range) -> Range:
    return a if a[1] - a[0] <= b[1] - b[0] else b


OF_CLASSES: dict[str, Range] = {
    **dict.fromkeys(("atlas.cls.get", "atlas.mirror", "atlas.nbr.get"), (0, CLASS_COUNT - 1)),
    "atlas.nbr.count": (MAX_DEGREE - 1, MAX_DEGREE),
}
"""What instructions give that are about classes."""


@Ranges.transfers.on(*OF_CLASSES, ScalarOp)
def _of_scalar(ranges: Ranges, op: Any, result: SSAValue) -> Known | None:
    if (interval := OF_CLASSES.get(op.name)) is not None:
        return Known.of(interval, Integers(bits_of(result.type)))
    if not op.dtype.is_integer or isinstance(op, SetccOp):
        return ranges.known[result]
    return Known.of(ranges.exact(op, op.dtype), op.dtype)


@Ranges.transfers.on(CvtOp)
def _of_conversion(ranges: Ranges, op: CvtOp, result: SSAValue) -> Known | None:
    source, target = op.source_type.dtype, op.type.dtype
    if not target.is_integer or source.is_float:
        return ranges.known[result]
    return Known.of(ranges.read(op.a, source), target)


def extended(op: Operation) -> bool | None:
    """Return whether an extension reads its operand as unsigned; None of what is no extension."""
    if op.name in ("arith.extsi", "arith.extui"):
        return op.name == "arith.extui"
    if op.name == "hologram.cast" and 1 < bits_of(op.operands[0].type) < bits_of(op.results[0].type):
        return "unsigned" in op.properties
    return None


@Ranges.transfers.on("arith.extsi", "arith.extui", "hologram.cast", "arith.index_cast")
def _of_extension(ranges: Ranges, op: Operation, result: SSAValue) -> Known | None:
    unsigned = False if op.name == "arith.index_cast" else extended(op)
    if unsigned is None or not (bits := bits_of(op.operands[0].type)):
        return ranges.known[result]
    return Known.of(ranges.read(op.operands[0], Integers(bits, unsigned)), Integers(bits_of(result.type)))


LANES = 1 << 48
"""No launch has as many lanes: what runs them counts them one by one."""
AXIS = 1 << 32
"""No grid is longer along an axis."""


@Ranges.transfers.on("atlas.special")
def _of_register(ranges: Ranges, op: Any, result: SSAValue) -> Known:
    group, _, axis = op.register.data.partition(".")
    kind = Integers(bits_of(result.type), True)
    if group == "gid":
        return Known.of((0, LANES), kind)
    program = enclosing(op, ProgramOp)
    size = None if program is None else program.block_size
    if size is None or group not in ("lane", "lanes"):
        return Known.of((0, AXIS), kind)
    count = size["xyz".index(axis)]
    return Known.of((0, count - 1) if group == "lane" else (count, count), kind)


def proves_inside(index: SSAValue, size: int) -> bool:
    """Return whether an index is known to lie below a static size."""
    known = Ranges().of(index)
    return known is not None and 0 <= known.signed[0] and known.signed[1] < size


# Factors


class Factors(Analysis[int]):
    """The number of zeros that the bits of integers are known to end in: a power of two that divides them."""

    transfers = Registry[Transfer]()
    MOST = 64

    def start(self, value: SSAValue) -> int:
        interval = constants(value)
        if interval is None or interval[0] != interval[1]:
            return 0
        return (interval[0] & -interval[0]).bit_length() - 1 if interval[0] else self.MOST


@Factors.transfers.on("atlas.add", "atlas.sub", "atlas.or", "atlas.xor")
def _of_sum(factors: Factors, op: Operation, result: SSAValue) -> int:
    return min(map(factors.of, op.operands))


@Factors.transfers.on("atlas.mul", "atlas.and")
def _of_product(factors: Factors, op: Operation, result: SSAValue) -> int:
    return max(map(factors.of, op.operands))


@Factors.transfers.on("atlas.shl")
def _of_shift(factors: Factors, op: Operation, result: SSAValue) -> int:
    amount = constants(op.operands[1])
    return 0 if amount is None else amount[0] % bits_of(result.type)


@Factors.transfers.on(CvtOp, "arith.index_cast")
def _of_cast(factors: Factors, op: Operation, result: SSAValue) -> int:
    integers = bits_of(op.operands[0].type) > 1 and bits_of(result.type) >= 32
    return factors.of(op.operands[0]) if integers else 0


def divides(factor: int, value: SSAValue) -> bool:
    """Return whether an integer is known to be a multiple of `factor`, a power of two below 2^32, wrapping included."""
    return factor <= 1 << Factors().of(value)


# Buffers


def elements(value: SSAValue, depth: int = DEPTH) -> Known | None:
    """Return the ranges of the integers in an array, or of a scalar operand; None for other types than integers of 8 to
    64 bits.

    A buffer that one map fills, and nothing else writes, holds what the map's region gives.
    """
    if (bits := bits_of(value.type)) not in (8, 16, 32, 64):
        return None
    anything = Known.of(whole(Integers(bits)), Integers(bits))
    if not is_memref(value.type):
        return Ranges().of(value) or anything
    writer = _only_writer(value) if depth else None
    if writer is None:
        return anything
    inner = writer.body.block
    end = inner.last_op
    assert isinstance(end, YieldOp)
    return region(writer, depth - 1).of(end.values[list(writer.outs).index(value)]) or anything


def region(op: ArrayOp, depth: int = DEPTH) -> Ranges:
    """The ranges in the body of a map or a reduction."""
    block: Block = op.regions[0].block
    ranges = Ranges()
    for argument, value in zip(block.args, op.operands, strict=False):
        known = elements(value, depth)
        if known is not None:
            ranges.known[argument] = known
    return ranges


_READERS = (memref.DimOp, memref.DeallocOp)


def _only_writer(value: SSAValue) -> MapOp | None:
    """The map that alone writes a buffer of its function's own."""
    if not isinstance(value.owner, memref.AllocOp):
        return None
    writers: list[Operation] = []
    for use in value.uses:
        op = use.operation
        if isinstance(op, ArrayOp):
            writers += [op] if value in op.outs else []
        elif not isinstance(op, _READERS):
            return None
    (writer, *others) = writers or [None]
    return writer if isinstance(writer, MapOp) and not others and value not in writer.ins else None
