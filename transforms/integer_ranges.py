"""What integers can be: bounds of scalar instructions, of regions of scalars, and of the elements of buffers.

A range is a pair of the least and the greatest number, both possible as far as is known. Values are signless, so a
range stands beside the type it is read as; `reread` gives the range of the same bits under another sign.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.dialects import memref
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from hologram.dialects.arith import constant_of
from hologram.dialects.atlas.arrays import ArrayOp, MapOp, YieldOp
from hologram.dialects.atlas.instruction import ScalarOp
from hologram.dialects.atlas.scalar import CvtOp, MovImmOp, SetccOp
from hologram.dialects.atlas.types import DTYPES, DType
from hologram.dialects.shapes import element_type, is_memref

Range = tuple[int, int]
DEPTH = 8
"""How many buffers deep the elements of a buffer are followed to what they were computed from."""


def bits_of(type: Attribute) -> int:
    """The width of an integer type; 0 of other types."""
    return type.bitwidth if isinstance(type, IntegerType) else 0


def whole(dtype: DType) -> Range:
    """All numbers of an integer type."""
    return int(dtype.least), int(dtype.greatest)


def signed(bits: int) -> DType:
    """The signed type of a width."""
    return DTYPES[f"i{bits}"]


def fits(range: Range, dtype: DType) -> bool:
    """Whether all numbers of a range are numbers of a type: nothing wraps."""
    least, greatest = whole(dtype)
    return least <= range[0] and range[1] <= greatest


def wrapped(range: Range, dtype: DType) -> Range:
    """The numbers that a range becomes modulo 2^bits: moved as a whole, or all of the type's."""
    modulus = 1 << dtype.bits
    turns = (range[0] - int(dtype.least)) // modulus
    moved = range[0] - turns * modulus, range[1] - turns * modulus
    return moved if fits(moved, dtype) else whole(dtype)


def reread(range: Range, dtype: DType) -> Range:
    """The range of the same bits, read as `dtype`, which has their width."""
    return wrapped(range, dtype)


# Scalar instructions: the exact range of the mathematical result, before it wraps


def _corners(function: Callable[[int, int], int]) -> Callable[[DType, Range, Range], Range]:
    """Of a function that is monotonic in each operand."""

    def bounds(dtype: DType, a: Range, b: Range) -> Range:
        found = [function(x, y) for x in a for y in b]
        return min(found), max(found)

    return bounds


_times = _corners(int.__mul__)


def _sum(a: Range, b: Range) -> Range:
    return a[0] + b[0], a[1] + b[1]


def _negated(a: Range) -> Range:
    return -a[1], -a[0]


def _add(dtype: DType, a: Range, b: Range) -> Range:
    return _sum(a, b)


def _subtract(dtype: DType, a: Range, b: Range) -> Range:
    return _sum(a, _negated(b))


def _negate(dtype: DType, a: Range) -> Range:
    return _negated(a)


def _same(dtype: DType, a: Range) -> Range:
    return a


def _relu(dtype: DType, a: Range) -> Range:
    return max(a[0], 0), max(a[1], 0)


def _multiply_add(dtype: DType, a: Range, b: Range, c: Range) -> Range:
    return _sum(_times(dtype, a, b), c)


def _multiply_subtract(dtype: DType, a: Range, b: Range, c: Range) -> Range:
    return _sum(_times(dtype, a, b), _negated(c))


def _absolute(dtype: DType, a: Range) -> Range:
    if dtype.is_unsigned:
        return a
    return (0 if a[0] <= 0 <= a[1] else min(abs(a[0]), abs(a[1]))), max(abs(a[0]), abs(a[1]))


def _sign(dtype: DType, a: Range) -> Range:
    return (a[0] > 0) - (a[0] < 0), (a[1] > 0) - (a[1] < 0)


def _minimum(dtype: DType, a: Range, b: Range) -> Range:
    return min(a[0], b[0]), min(a[1], b[1])


def _maximum(dtype: DType, a: Range, b: Range) -> Range:
    return max(a[0], b[0]), max(a[1], b[1])


def _clamp(dtype: DType, x: Range, low: Range, high: Range) -> Range:
    return _minimum(dtype, _maximum(dtype, x, low), high)


def _quotient(dtype: DType, a: Range, b: Range) -> Range:
    """Truncating; division by zero traps, so it gives nothing."""
    parts = [part for part in ((b[0], min(b[1], -1)), (max(b[0], 1), b[1])) if part[0] <= part[1]]
    if not parts:
        return whole(dtype)
    found = [_truncated(x, y) for part in parts for x in a for y in part]
    return min(found), max(found)


def _truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(dtype: DType, a: Range, b: Range) -> Range:
    """With the sign of the dividend, less than the divisor."""
    most = max(abs(b[0]), abs(b[1])) - 1
    if most < 0:
        return whole(dtype)
    return max(a[0], -most) if a[0] < 0 else 0, min(a[1], most) if a[1] > 0 else 0


def _and(dtype: DType, a: Range, b: Range) -> Range:
    bounds = [r[1] for r in (a, b) if r[0] >= 0]
    return (0, min(bounds)) if bounds else whole(dtype)


def _or(dtype: DType, a: Range, b: Range) -> Range:
    if a[0] < 0 or b[0] < 0:
        return whole(dtype)
    return max(a[0], b[0]), (1 << max(a[1].bit_length(), b[1].bit_length())) - 1


def _xor(dtype: DType, a: Range, b: Range) -> Range:
    if a[0] < 0 or b[0] < 0:
        return whole(dtype)
    return 0, (1 << max(a[1].bit_length(), b[1].bit_length())) - 1


def _not(dtype: DType, a: Range) -> Range:
    if dtype.is_unsigned:
        return whole(dtype)[1] - a[1], whole(dtype)[1] - a[0]
    return -1 - a[1], -1 - a[0]


def _shift_left(dtype: DType, a: Range, amount: Range) -> Range:
    amount = _amount(dtype, amount)
    return _times(dtype, a, (1 << amount[0], 1 << amount[1]))


def _shift_right(dtype: DType, a: Range, amount: Range) -> Range:
    return _corners(int.__rshift__)(dtype, a, _amount(dtype, amount))


def _amount(dtype: DType, amount: Range) -> Range:
    """The amount counts modulo the width."""
    return amount if 0 <= amount[0] and amount[1] < dtype.bits else (0, dtype.bits - 1)


def _select(dtype: DType, p: Range, a: Range, b: Range) -> Range:
    return min(a[0], b[0]), max(a[1], b[1])


RULES: dict[str, Callable[..., Range]] = {
    "abs": _absolute,
    "add": _add,
    "and": _and,
    "clamp": _clamp,
    "div": _quotient,
    "fma": _multiply_add,
    "fms": _multiply_subtract,
    "mad": _multiply_add,
    "max": _maximum,
    "max.nan": _maximum,
    "min": _minimum,
    "min.nan": _minimum,
    "mov": _same,
    "mul": _times,
    "neg": _negate,
    "not": _not,
    "or": _or,
    "relu": _relu,
    "rem": _remainder,
    "sel": _select,
    "shl": _shift_left,
    "shr": _shift_right,
    "sign": _sign,
    "sub": _subtract,
    "xor": _xor,
}
"""Of each instruction on integers: the range of its result as a number, from those of its operands as it reads them."""


# Regions of scalars


@dataclass(frozen=True)
class Known:
    """What is known of a value: its bits read as `dtype` lie in `range`."""

    range: Range
    dtype: DType

    def read(self, dtype: DType) -> Range:
        """The range as an instruction of this type reads it."""
        return self.range if dtype is self.dtype else reread(self.range, dtype)


@dataclass
class Ranges:
    """The ranges of the integers in regions of scalars; `known` has those that are told from outside."""

    known: dict[SSAValue, Known] = field(default_factory=dict[SSAValue, Known])

    def of(self, value: SSAValue) -> Known | None:
        """What is known of an integer of at most 64 bits; None for other values."""
        if (found := self.known.get(value)) is None:
            found = self._compute(value)
            if found is not None:
                self.known[value] = found
        return found

    def read(self, value: SSAValue, dtype: DType) -> Range:
        """The range of a value as an instruction of this type reads it."""
        found = self.of(value)
        return whole(dtype) if found is None else found.read(dtype)

    def exact(self, op: ScalarOp) -> Range:
        """The range of an instruction's result as a number, before it wraps; of unknown ones all of the type's."""
        rule = RULES.get(op.INSTRUCTION.name)
        if rule is None or not op.dtype.is_integer:
            return whole(op.dtype)
        kinds = {"T": op.dtype, "u32": DTYPES["u32"], "bool": DTYPES["bool"]}
        operands = zip(op.operands, op.INSTRUCTION.operands.values(), strict=True)
        return rule(op.dtype, *(self.read(value, kinds[kind]) for value, kind in operands))

    def _compute(self, value: SSAValue) -> Known | None:
        bits = bits_of(value.type)
        if bits not in (1, 8, 16, 32, 64):
            return None
        anything = DTYPES["bool"] if bits == 1 else signed(bits)
        if bits > 1 and (constant := _constant(value)) is not None:
            return Known(wrapped((constant, constant), anything), anything)
        owner = value.owner
        match owner:
            case ScalarOp() if owner.dtype.is_integer and not isinstance(owner, SetccOp):
                return Known(wrapped(self.exact(owner), owner.dtype), owner.dtype)
            case CvtOp() if owner.source_type.dtype.is_integer and owner.type.dtype.is_integer:
                source, target = owner.source_type.dtype, owner.type.dtype
                return Known(wrapped(self.read(owner.a, source), target), target)
            case CvtOp() if owner.source_type.dtype.name == "bool" and owner.type.dtype.is_integer:
                return Known((0, 1), owner.type.dtype)
            case _:
                return Known((0, 1) if bits == 1 else whole(anything), anything)


def _constant(value: SSAValue) -> int | None:
    if isinstance(value.owner, MovImmOp):
        data = getattr(value.owner.value, "value", None)
        return getattr(data, "data", None) if data is not None else None
    return constant_of(value)


# Buffers


def elements(value: SSAValue, depth: int = DEPTH) -> Known | None:
    """What is known of the integers in an array, or of a scalar operand; None for what are no integers of 8 to 64 bits.

    A buffer that one map fills, and nothing else writes, holds what the map's region gives.
    """
    bits = bits_of(element_type(value.type))
    if bits not in (8, 16, 32, 64):
        return None
    anything = Known(whole(signed(bits)), signed(bits))
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
        found = elements(value, depth)
        if found is not None:
            ranges.known[argument] = found
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
