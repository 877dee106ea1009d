"""Arithmetic.

Constants fold to what the operation's instruction computes (`dialects/atlas/instructions/upstream.py`); nothing that
upstream leaves undefined folds (division by zero, least / -1, shifts by the width or more), and no result that is NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from hologram.dialects.arith import constant_of
from hologram.dialects.verbs import is_float
from hologram.support.registry import Registry
from hologram.transforms.canonical.rules import Folds, Patterns

Found: TypeAlias = "Attribute | SSAValue | None"
"""A constant's attribute, a value, or nothing."""
_SHIFTS = (arith.ShLIOp, arith.ShRUIOp, arith.ShRSIOp)
_SIGNED_DIVISIONS = (arith.DivSIOp, arith.RemSIOp, arith.FloorDivSIOp, arith.CeilDivSIOp)


def width_of(type: Attribute) -> int | None:
    """The bits of an integer or index type."""
    if isinstance(type, IndexType):
        return 64
    return type.bitwidth if isinstance(type, IntegerType) else None


def integer(value: int, type: Attribute) -> IntegerAttr | None:
    """An integer constant of `type`, wrapped to its width."""
    width = width_of(type)
    if width is None:
        return None
    value &= (1 << width) - 1
    return IntegerAttr(value - (1 << width) if width > 1 and value >> (width - 1) else value, cast(Any, type))


# Constants


def fold_constants(op: Operation) -> Found:
    """All operands are constant."""
    constants = [_constant(value) for value in op.operands]
    if None in constants or _is_undefined(op):
        return None
    from hologram.dialects.atlas.instructions.instruction import constant_lanes
    from hologram.dialects.atlas.instructions.storage import Trap
    from hologram.dialects.atlas.instructions.types import dtype_of
    from hologram.dialects.atlas.instructions.upstream import MEANINGS

    type = op.results[0].type
    dtypes = [dtype_of(t) for t in (*op.operand_types, type)]
    meaning = next((MEANINGS[kind] for kind in op.__class__.__mro__ if kind in MEANINGS), None)
    if None in dtypes or meaning is None:
        return None
    lanes = [constant_lanes(cast(Attribute, c), cast(Any, t)) for c, t in zip(constants, dtypes, strict=False)]
    try:
        value = meaning.compute(op, cast(Any, lanes)).item()
    except Trap:
        return None
    if is_float(type):
        # Which NaN an operation gives is not fixed.
        return None if value != value else FloatAttr(float(value), cast(AnyFloat, type))
    return integer(int(value), type)


def _constant(value: SSAValue) -> Attribute | None:
    op = value.op if isinstance(value, OpResult) else None
    attribute = op.value if isinstance(op, arith.ConstantOp) else None
    return attribute if isinstance(attribute, IntegerAttr | FloatAttr) else None


def _is_undefined(op: Operation) -> bool:
    """Return whether upstream leaves open what an operation on constants gives, though the instruction of the ISA does
    not."""
    if not isinstance(op, (*_SHIFTS, *_SIGNED_DIVISIONS)):
        return False
    a, b, width = constant_of(op.operands[0]), constant_of(op.operands[1]), width_of(op.results[0].type)
    if a is None or b is None or width is None:
        return True
    if isinstance(op, _SHIFTS):
        return not 0 <= b < width
    return (b + 1) % (1 << width) == 0 and abs(a) == 1 << (width - 1)


def fold_remainder(op: Any) -> Found:
    """x % 1 = 0"""
    return integer(0, op.result.type) if constant_of(op.rhs) == 1 else fold_constants(op)


def fold_same_or_constants(op: Any) -> Found:
    """min(x, x) = max(x, x) = x"""
    return op.lhs if op.lhs is op.rhs else fold_constants(op)


def fold_to_zero(op: Any) -> Found:
    """x - x = x ^ x = 0"""
    return integer(0, op.result.type) if op.lhs is op.rhs else None


def fold_idempotent(op: Any) -> Found:
    """x & x = x | x = x"""
    return op.lhs if op.lhs is op.rhs else None


def fold_scale(op: Any) -> Found:
    """x * 1 = x / 1 = x"""
    factor = _constant(op.rhs)
    return op.lhs if isinstance(factor, FloatAttr) and factor.value.data == 1.0 else fold_constants(op)


# Casts


def _source(value: SSAValue, *kinds: type[Operation]) -> SSAValue | None:
    """Return the operand of the cast of one of `kinds` that gives `value`."""
    return value.op.operands[0] if isinstance(value, OpResult) and isinstance(value.op, kinds) else None


def fold_truncate(op: arith.TruncIOp) -> Found:
    """A constant, or trunc(ext(x)) = x"""
    if constant_of(op.input) is not None:
        return fold_constants(op)
    source = _source(op.input, arith.ExtSIOp, arith.ExtUIOp)
    return source if source is not None and source.type == op.result.type else None


def fold_index_cast(op: arith.IndexCastOp) -> Found:
    """A constant, or cast(cast(x)) = x where nothing was cut off between"""
    if constant_of(op.input) is not None:
        return fold_constants(op)
    source = _source(op.input, arith.IndexCastOp)
    if source is None or source.type != op.result.type:
        return None
    before, between = width_of(source.type), width_of(op.input.type)
    return source if before is not None and between is not None and between >= before else None


# Patterns


def add_constants(op: arith.AddiOp, rewriter: PatternRewriter) -> None:
    """(x + a) + b = x + (a + b)"""
    _join(op, rewriter, lambda a, b: a + b)


def multiply_constants(op: arith.MuliOp, rewriter: PatternRewriter) -> None:
    """(x * a) * b = x * (a * b)"""
    _join(op, rewriter, lambda a, b: a * b)


def _join(op: arith.AddiOp | arith.MuliOp, rewriter: PatternRewriter, join: Callable[[int, int], int]) -> None:
    inner = op.lhs.op if isinstance(op.lhs, OpResult) else None
    if not isinstance(inner, type(op)):
        return
    a, b = constant_of(inner.rhs), constant_of(op.rhs)
    if a is None or b is None or (joined := integer(join(a, b), op.result.type)) is None:
        return
    # Without the flags that promise no overflow: the parts' promises do not make one for the whole.
    rewriter.replace(op, [new := arith.ConstantOp(joined), type(op)(inner.lhs, new.result)])


def widen_before_index(op: arith.IndexCastOp, rewriter: PatternRewriter) -> None:
    """index_cast(extsi(x)) = index_cast(x)"""
    if isinstance(op.input, OpResult) and isinstance(op.input.op, arith.ExtSIOp):
        rewriter.replace(op, type(op)(op.input.op.input, op.result.type))


FOLDS: Folds = Registry()
for _fold, _kinds in (
    (fold_constants, (*_SHIFTS, *_SIGNED_DIVISIONS, arith.DivUIOp, arith.CeilDivUIOp, arith.AddfOp, arith.SubfOp)),
    (fold_constants, (arith.CmpiOp, arith.ExtSIOp, arith.ExtUIOp)),
    (fold_remainder, (arith.RemSIOp, arith.RemUIOp)),
    (fold_same_or_constants, (arith.MinSIOp, arith.MaxSIOp, arith.MinUIOp, arith.MaxUIOp)),
    (fold_to_zero, (arith.SubiOp, arith.XOrIOp)),
    (fold_idempotent, (arith.AndIOp, arith.OrIOp)),
    (fold_scale, (arith.MulfOp, arith.DivfOp)),
    (fold_truncate, (arith.TruncIOp,)),
    (fold_index_cast, (arith.IndexCastOp,)),
):
    FOLDS.on(*_kinds)(_fold)
PATTERNS: Patterns = Registry(
    {arith.AddiOp: (add_constants,), arith.MuliOp: (multiply_constants,), arith.IndexCastOp: (widen_before_index,)}
)
