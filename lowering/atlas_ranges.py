"""What integer values of a lane program can be: enough to leave out the guards of plain accesses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import arith
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from hologram.classes import CLASS_COUNT, MAX_DEGREE
from hologram.dialects.atlas import lanes, scalar, state
from hologram.dialects.atlas.instruction import ScalarOp
from hologram.lowering.atlas_state import constant_integer
from hologram.lowering.core_builder import width_of

Range = tuple[int, int]
"""The least and greatest value, read as signed where the sign counts; here never negative."""

DEPTH = 12


def range_of(value: SSAValue, depth: int = DEPTH) -> Range | None:
    """Bounds of an integer that is known not to be negative, or None."""
    if (constant := constant_integer(value)) is not None:
        return (constant, constant) if 0 <= constant < _signed_end(value) else None
    if depth == 0:
        return None
    if isinstance(value, BlockArgument):
        return _iteration(value)
    found = _computed(value.owner, depth)
    return found if found is not None and found[1] < _signed_end(value) else None


def _signed_end(value: SSAValue) -> int:
    return 1 << (width_of(value.type) - 1)


def _iteration(value: BlockArgument) -> Range | None:
    loop = value.block.parent_op()
    if not isinstance(loop, lanes.LoopOp) or value.index != 0:
        return None
    count = constant_integer(loop.count)
    return (0, count - 1) if count is not None and 0 < count < _signed_end(value) else None


_OF_CLASSES: dict[type[Any], Range] = {
    **dict.fromkeys((state.ClsGetOp, state.MirrorOp, state.NbrGetOp), (0, CLASS_COUNT - 1)),
    state.NbrCountOp: (MAX_DEGREE - 1, MAX_DEGREE),
}
"""What instructions give that are about classes."""


def _computed(op: Operation | Block, depth: int) -> Range | None:
    def of(operand: SSAValue) -> Range | None:
        return range_of(operand, depth - 1)

    if (known := _OF_CLASSES.get(type(op))) is not None:
        return known
    match op:
        case lanes.SpecialOp():
            return _special(op)
        case scalar.CvtOp():
            return _converted(op, of(op.a))
        case arith.IndexCastOp() | arith.ExtUIOp():
            return of(op.input)
        case ScalarOp() if op.dtype.is_integer:
            return _scalar(op, [of(v) for v in op.operands])
        case _:
            return None


def _special(op: lanes.SpecialOp) -> Range | None:
    program = op.parent_op()
    while program is not None and not isinstance(program, lanes.ProgramOp):
        program = program.parent_op()
    group, _, axis = op.register.data.partition(".")
    size = None if program is None else program.block_size
    if size is None or group not in ("lane", "lanes"):
        return None
    count = size[lanes.AXES.index(axis)]
    return (0, count - 1) if group == "lane" else (count, count)


def _converted(op: scalar.CvtOp, source: Range | None) -> Range | None:
    target = op.type.dtype
    fits = source is not None and op.source_type.dtype.is_integer and target.is_integer
    return source if fits and source is not None and source[1] < 1 << (target.bits - 1) else None


def _scalar(op: Any, known: list[Range | None]) -> Range | None:
    """Results of operands that are not negative, which `range_of` drops where they could wrap."""
    if isinstance(op, scalar.AndOp):
        bounds = [r[1] for r in known if r is not None]
        return (0, min(bounds)) if bounds else None
    if isinstance(op, scalar.RemOp) and op.dtype.is_unsigned and known[1] is not None and known[1][0] > 0:
        return (0, known[1][1] - 1)
    bounds = [r for r in known if r is not None]
    if len(bounds) < len(known):
        return None
    if isinstance(op, scalar.MadOp | scalar.FmaOp):
        (least, greatest), (low, high), (more, most) = bounds
        return (least * low + more, greatest * high + most)
    rule = _RULES.get(type(op))
    return None if rule is None else rule(op.dtype.bits, *bounds)


def _difference(bits: int, a: Range, b: Range) -> Range | None:
    return (a[0] - b[1], a[1] - b[0]) if a[0] >= b[1] else None


def _quotient(bits: int, a: Range, b: Range) -> Range | None:
    return (a[0] // b[1], a[1] // b[0]) if b[0] > 0 else None


def _remainder(bits: int, a: Range, b: Range) -> Range | None:
    return (0, min(a[1], b[1] - 1)) if b[0] > 0 else None


def _shift_right(bits: int, a: Range, b: Range) -> Range | None:
    return (a[0] >> b[1], a[1] >> b[0]) if b[1] < bits else None


def _shift_left(bits: int, a: Range, b: Range) -> Range | None:
    return (a[0] << b[0], a[1] << b[1]) if b[1] < bits else None


def _each(function: Callable[[int, int], int]) -> Callable[[int, Range, Range], Range]:
    """A function that grows with both operands."""
    return lambda bits, a, b: (function(a[0], b[0]), function(a[1], b[1]))


_RULES: dict[Any, Callable[..., Range | None]] = {
    scalar.AddOp: _each(int.__add__),
    scalar.SubOp: _difference,
    scalar.MulOp: _each(int.__mul__),
    scalar.DivOp: _quotient,
    scalar.RemOp: _remainder,
    scalar.ShrOp: _shift_right,
    scalar.ShlOp: _shift_left,
    scalar.MinOp: _each(min),
    scalar.MaxOp: _each(max),
}
"""The bounds of a result from those of two operands that are not negative."""


def proves_inside(index: SSAValue, size: int) -> bool:
    """Whether an index is known to lie below a static size."""
    found = range_of(index)
    return found is not None and 0 <= found[0] and found[1] < size


def divides(factor: int, value: SSAValue, depth: int = 6) -> bool:
    """Whether an integer is known to be a multiple of `factor`, a power of two below 2^32, wrapping included."""
    if (constant := constant_integer(value)) is not None:
        return constant % factor == 0
    if factor == 1:
        return True
    if depth == 0 or isinstance(value, BlockArgument):
        return False
    op = value.owner
    assert isinstance(op, Operation)
    parts = [divides(factor, v, depth - 1) for v in op.operands]
    if isinstance(op, _SUMS):
        return all(parts)
    if isinstance(op, _PRODUCTS):
        return any(parts)
    if isinstance(op, scalar.ShlOp):
        amount = constant_integer(op.operands[1])
        return amount is not None and factor <= 1 << amount % width_of(value.type)
    if isinstance(op, scalar.CvtOp):
        return op.source_type.dtype.is_integer and op.type.dtype.is_integer and op.type.dtype.bits >= 32 and parts[0]
    return isinstance(op, arith.IndexCastOp) and parts[0]


_SUMS: tuple[type[Operation], ...] = (scalar.AddOp, scalar.SubOp, scalar.OrOp, scalar.XorOp)
_PRODUCTS: tuple[type[Operation], ...] = (scalar.MulOp, scalar.AndOp)
