"""What integer values of a lane program can be: enough to leave out the guards of plain accesses."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from hologram.dialects.atlas import lanes, scalar
from hologram.lowering.atlas_state import constant_integer

Range = tuple[int, int]
"""The least and greatest value, read as signed where the sign counts; here never negative."""

DEPTH = 12


def range_of(value: SSAValue, depth: int = DEPTH) -> Range | None:
    """Bounds of an integer that is known not to be negative, or None."""
    if (constant := constant_integer(value)) is not None:
        return (constant, constant) if constant >= 0 else None
    if depth == 0:
        return None
    if isinstance(value, BlockArgument):
        return _iteration(value)
    found = _computed(value.owner, depth)
    return found if found is not None and found[1] < _signed_end(value) else None


def _signed_end(value: SSAValue) -> int:
    type = value.type
    return 1 << ((type.width.data if isinstance(type, IntegerType) else 64) - 1)


def _iteration(value: BlockArgument) -> Range | None:
    loop = value.block.parent_op()
    if not isinstance(loop, lanes.LoopOp) or value.index != 0:
        return None
    count = constant_integer(loop.count)
    return (0, count - 1) if count is not None and 0 < count < _signed_end(value) else None


def _computed(op: Operation | Block, depth: int) -> Range | None:
    def of(operand: SSAValue) -> Range | None:
        return range_of(operand, depth - 1)

    match op:
        case lanes.SpecialOp():
            return _special(op)
        case scalar.CvtOp():
            return _converted(op, of(op.a))
        case arith.IndexCastOp() | arith.ExtUIOp():
            return of(op.input)
        case scalar.ScalarOp() if op.dtype.is_integer:
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
    if any(r is None for r in known):
        return None
    (least, greatest), *rest = [r for r in known if r is not None]
    match op, rest:
        case scalar.AddOp(), [(low, high)]:
            return (least + low, greatest + high)
        case scalar.MulOp(), [(low, high)]:
            return (least * low, greatest * high)
        case scalar.MadOp() | scalar.FmaOp(), [(low, high), (more, most)]:
            return (least * low + more, greatest * high + most)
        case scalar.SubOp(), [(low, high)] if least >= high:
            return (least - high, greatest - low)
        case scalar.DivOp(), [(low, high)] if low > 0:
            return (least // high, greatest // low)
        case scalar.RemOp(), [(low, high)] if low > 0:
            return (0, min(greatest, high - 1))
        case scalar.ShrOp(), [(low, high)] if high < op.dtype.bits:
            return (least >> high, greatest >> low)
        case scalar.ShlOp(), [(low, high)] if high < op.dtype.bits:
            return (least << low, greatest << high)
        case scalar.MinOp(), [(low, high)]:
            return (min(least, low), min(greatest, high))
        case scalar.MaxOp(), [(low, high)]:
            return (max(least, low), max(greatest, high))
        case _:
            return None


def proves_inside(index: SSAValue, size: int) -> bool:
    """Whether an index is known to lie below a static size."""
    found = range_of(index)
    return found is not None and 0 <= found[0] and found[1] < size



