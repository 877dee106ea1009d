"""What `hoist-projections` and `sink-projections` share: which integers a value can be, and integer code around it."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, IntegerAttr, IntegerType, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import ConstantLike

from hologram.dialects import arith as our_arith
from hologram.dialects.hologram import elementwise, tensors
from hologram.dialects.shapes import is_dense, is_tensor
from hologram.dialects.torus.base import integer_bits, with_element
from hologram.dialects.torus.coordinates import ToRing
from hologram.torus import Ring

Range = tuple[int, int]
KINDS: dict[str, str] = {
    "arith.addi": "add", "arith.subi": "sub", "arith.muli": "mul",
    "hologram.add": "add", "hologram.sub": "sub", "hologram.mul": "mul",
}  # fmt: skip
"""Operations on integers with a generator of their meaning."""
_EXTENDS = {"arith.extsi": False, "arith.extui": True}
DEPTH = 64
"""How many operations deep bounds are followed."""


def whole(bits: int, unsigned: bool) -> Range:
    """All integers of a type."""
    return (0, (1 << bits) - 1) if unsigned else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


def fits(found: Range, bits: int, unsigned: bool) -> bool:
    """Whether all numbers of a range are integers of a type."""
    low, high = whole(bits, unsigned)
    return low <= found[0] and found[1] <= high


def combined(kind: str, a: Range, b: Range) -> Range:
    """The bounds of a true sum, difference or product."""
    match kind:
        case "add":
            return a[0] + b[0], a[1] + b[1]
        case "sub":
            return a[0] - b[1], a[1] - b[0]
        case _:
            corners = [x * y for x in a for y in b]
            return min(corners), max(corners)


def range_of(value: SSAValue, unsigned: bool, depth: int = DEPTH) -> Range:
    """The least and the greatest integer that a value, or an element, may be, read as signed or unsigned."""
    bits = integer_bits(value.type)
    assert bits is not None
    everything = whole(bits, unsigned)
    owner = value.owner
    if not isinstance(owner, Operation) or depth == 0:
        return everything
    if (numbers := _constants(value)) is not None:
        return numbers if fits(numbers, bits, unsigned) else everything
    if (source := extended(owner)) is not None:
        found = range_of(owner.operands[0], source, depth - 1)
    elif owner.name in KINDS:
        found = true_range(owner, unsigned, depth - 1)
    elif owner.name in ("arith.andi", "hologram.and") and (mask := _constants(owner.operands[1])) is not None:
        found = (0, mask[1]) if mask[0] >= 0 else everything
    else:
        return everything
    return found if fits(found, bits, unsigned) else everything


def true_range(op: Operation, unsigned: bool, depth: int = DEPTH) -> Range:
    """The bounds of the result of an operation of `KINDS` as if it never wrapped."""
    a, b = (range_of(v, unsigned, depth) for v in op.operands)
    return combined(KINDS[op.name], a, b)


def extended(op: Operation) -> bool | None:
    """Whether an extension reads its operand as unsigned; None of what is no extension."""
    if op.name in _EXTENDS:
        return _EXTENDS[op.name]
    if isinstance(op, elementwise.CastOp):
        source, target = integer_bits(op.x.type), integer_bits(op.result.type)
        if source is not None and target is not None and 1 < source < target:
            return op.unsigned is not None
    return None


def _constants(value: SSAValue) -> Range | None:
    """The least and the greatest integer of a constant, read as signed."""
    attr = ConstantLike.get_constant_value(value)
    if isinstance(attr, IntegerAttr):
        return (attr.value.data, attr.value.data)
    if is_dense(attr) and integer_bits(value.type) is not None and 0 not in attr.get_shape():
        values = [int(v) for v in attr.get_values()]
        return min(values), max(values)
    return None


def survives_wrapping(ring: Ring, bits: int) -> bool:
    """Whether integers modulo 2^bits have one projection: the moduli divide that power."""
    return all((1 << bits) % m == 0 for m in ring.moduli)


# Building


def integer_op(kind: str, a: SSAValue, b: SSAValue, *, nsw: bool) -> Operation:
    """A sum, difference or product of two integers, vectors or tensors of one type."""
    if is_tensor(a.type):
        found = {op.name: op for op in elementwise.ROWS}[f"hologram.{kind}"]
        return found.create(operands=[a, b], result_types=[a.type])
    flags = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW] if nsw else "none")
    made: Any = {"add": arith.AddiOp, "sub": arith.SubiOp, "mul": arith.MuliOp}[kind]
    return made(a, b, overflow=flags)


def widened(value: SSAValue, bits: int, unsigned: bool) -> Operation:
    """An extension to so many bits."""
    type = with_element(value.type, IntegerType(bits))
    if is_tensor(value.type):
        properties: dict[str, Attribute] = {"unsigned": UnitAttr()} if unsigned else {}
        return elementwise.CastOp.create(operands=[value], result_types=[type], properties=properties)
    made: Any = our_arith.ExtUIOp if unsigned else our_arith.ExtSIOp
    return made(value, type)


def is_index(value: SSAValue) -> bool:
    """Whether the integers are of `index`, whose width no cast changes."""
    return isinstance(getattr(value.type, "element_type", value.type), IndexType)


def projection(value: SSAValue) -> ToRing | None:
    """The projection that makes a value, if it has no other use than by one operation."""
    owner = value.owner
    if isinstance(owner, ToRing) and len({use.operation for use in value.uses}) == 1 and not is_index(owner.n):
        return owner
    return None


def constant_like(value: int, type: Attribute) -> Operation:
    """An integer in every place of a type."""
    if is_tensor(type):
        return tensors.ConstantOp(DenseIntOrFPElementsAttr.from_list(cast("Any", type), [value]))
    shaped = type if getattr(type, "get_shape", None) else None
    if shaped is not None:
        return arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(cast("Any", type), [value]))
    return arith.ConstantOp(IntegerAttr(value, cast("IntegerType", type)))
