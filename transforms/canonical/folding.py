"""Folds for arith and memref that xDSL does not have: an operation's result as a constant, or as a value there is.

Integers fold as two's complement, index as 64 bits; nothing that upstream leaves undefined folds (division by zero,
least / -1, shifts by the width or more). Floats fold only to what the operation itself would give to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from hologram.dialects.arith import constant_of
from hologram.support.registry import Registry

if TYPE_CHECKING:
    import numpy as np

Fold: TypeAlias = "Attribute | SSAValue | None"
"""A constant's attribute, a value, or nothing."""


# Integers


def width_of(type: Attribute) -> int | None:
    """The bits of an integer or index type."""
    if isinstance(type, IndexType):
        return 64
    return type.bitwidth if isinstance(type, IntegerType) else None


def signed(value: int, width: int) -> int:
    """The lowest `width` bits of `value` as a signed number."""
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def unsigned(value: int, width: int) -> int:
    """The lowest `width` bits of `value` as an unsigned number."""
    return value & ((1 << width) - 1)


def integer(value: int, type: Attribute) -> IntegerAttr | None:
    """An integer constant of `type`, wrapped to its width."""
    width = width_of(type)
    if width is None:
        return None
    return IntegerAttr(signed(value, width) if width > 1 else unsigned(value, 1), cast(Any, type))


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


Binary = Callable[[int, int, int], "int | None"]
"""Takes both operands as they stand and the width."""


def _signed(function: Callable[[int, int], int | None]) -> Binary:
    return lambda a, b, w: function(signed(a, w), signed(b, w))


def _unsigned(function: Callable[[int, int], int | None]) -> Binary:
    return lambda a, b, w: function(unsigned(a, w), unsigned(b, w))


def _signed_division(function: Callable[[int, int], int]) -> Binary:
    def fold(a: int, b: int, w: int) -> int | None:
        a, b = signed(a, w), signed(b, w)
        return None if b == 0 or (b == -1 and a == -(1 << (w - 1))) else function(a, b)

    return fold


def _unsigned_division(function: Callable[[int, int], int]) -> Binary:
    return _unsigned(lambda a, b: None if b == 0 else function(a, b))


def _shift(function: Callable[[int, int, int], int]) -> Binary:
    return lambda a, b, w: function(a, unsigned(b, w), w) if unsigned(b, w) < w else None


CONSTANTS: Mapping[type[Operation], Binary] = {
    arith.DivSIOp: _signed_division(_quotient),
    arith.RemSIOp: _signed_division(lambda a, b: a - _quotient(a, b) * b),
    arith.FloorDivSIOp: _signed_division(lambda a, b: a // b),
    arith.CeilDivSIOp: _signed_division(lambda a, b: -(-a // b)),
    arith.DivUIOp: _unsigned_division(lambda a, b: a // b),
    arith.RemUIOp: _unsigned_division(lambda a, b: a % b),
    arith.CeilDivUIOp: _unsigned_division(lambda a, b: -(-a // b)),
    arith.ShLIOp: _shift(lambda a, b, w: a << b),
    arith.ShRUIOp: _shift(lambda a, b, w: unsigned(a, w) >> b),
    arith.ShRSIOp: _shift(lambda a, b, w: signed(a, w) >> b),
    arith.MinSIOp: _signed(min),
    arith.MaxSIOp: _signed(max),
    arith.MinUIOp: _unsigned(min),
    arith.MaxUIOp: _unsigned(max),
}
"""What xDSL does not fold when both operands are constant."""


def fold_integers(op: Any) -> Fold:
    """Both operands constant."""
    a, b, type = constant_of(op.lhs), constant_of(op.rhs), op.result.type
    width = width_of(type)
    if a is None or b is None or width is None:
        return None
    value = CONSTANTS[op.__class__](a, b, width)
    return None if value is None else integer(value, type)


def fold_remainder(op: Any) -> Fold:
    """x % 1 = 0"""
    return integer(0, op.result.type) if constant_of(op.rhs) == 1 else fold_integers(op)


def fold_same_or_constants(op: Any) -> Fold:
    """min(x, x) = max(x, x) = x"""
    return op.lhs if op.lhs is op.rhs else fold_integers(op)


def fold_to_zero(op: Any) -> Fold:
    """x - x = x ^ x = 0"""
    return integer(0, op.result.type) if op.lhs is op.rhs else None


def fold_idempotent(op: Any) -> Fold:
    """x & x = x | x = x"""
    return op.lhs if op.lhs is op.rhs else None


PREDICATES: tuple[tuple[Callable[[int, int], bool], Callable[[int, int], int]], ...] = (
    (lambda a, b: a == b, unsigned),
    (lambda a, b: a != b, unsigned),
    (lambda a, b: a < b, signed),
    (lambda a, b: a <= b, signed),
    (lambda a, b: a > b, signed),
    (lambda a, b: a >= b, signed),
    (lambda a, b: a < b, unsigned),
    (lambda a, b: a <= b, unsigned),
    (lambda a, b: a > b, unsigned),
    (lambda a, b: a >= b, unsigned),
)


def fold_compare(op: arith.CmpiOp) -> Fold:
    """Both operands constant."""
    a, b, width = constant_of(op.lhs), constant_of(op.rhs), width_of(op.lhs.type)
    if a is None or b is None or width is None:
        return None
    holds, read = PREDICATES[op.predicate.value.data]
    return integer(int(holds(read(a, width), read(b, width))), op.result.type)


# Casts


def _source(value: SSAValue, *kinds: type[Operation]) -> SSAValue | None:
    """What a cast of one of `kinds` made `value` from."""
    return value.op.operands[0] if isinstance(value, OpResult) and isinstance(value.op, kinds) else None


def fold_extend_signed(op: arith.ExtSIOp) -> Fold:
    """A constant."""
    value, width = constant_of(op.input), width_of(op.input.type)
    return None if value is None or width is None else integer(signed(value, width), op.result.type)


def fold_extend_unsigned(op: arith.ExtUIOp) -> Fold:
    """A constant."""
    value, width = constant_of(op.input), width_of(op.input.type)
    return None if value is None or width is None else integer(unsigned(value, width), op.result.type)


def fold_truncate(op: arith.TruncIOp) -> Fold:
    """A constant, or trunc(ext(x)) = x"""
    if (value := constant_of(op.input)) is not None:
        return integer(value, op.result.type)
    source = _source(op.input, arith.ExtSIOp, arith.ExtUIOp)
    return source if source is not None and source.type == op.result.type else None


def fold_index_cast(op: arith.IndexCastOp) -> Fold:
    """A constant, or cast(cast(x)) = x where nothing was cut off between"""
    if (value := constant_of(op.input)) is not None:
        width = width_of(op.input.type)
        return None if width is None else integer(signed(value, width), op.result.type)
    source = _source(op.input, arith.IndexCastOp)
    if source is None or source.type != op.result.type:
        return None
    before, between = width_of(source.type), width_of(op.input.type)
    return source if before is not None and between is not None and between >= before else None


# Floats

FloatType = (Float16Type, BFloat16Type, Float32Type, Float64Type)


def _float(value: SSAValue) -> float | None:
    if not (isinstance(value, OpResult) and isinstance(value.op, arith.ConstantOp)):
        return None
    attr = value.op.value
    return attr.value.data if isinstance(attr, FloatAttr) else None


def _format(type: Attribute) -> type[np.generic] | None:
    """The numpy type that computes as the IR type does."""
    import ml_dtypes
    import numpy as np

    match type:
        case Float16Type():
            return np.float16
        case BFloat16Type():
            return ml_dtypes.bfloat16
        case Float32Type():
            return np.float32
        case Float64Type():
            return np.float64
        case _:
            return None


FLOATS: Mapping[type[Operation], Callable[[Any, Any], Any]] = {
    arith.AddfOp: lambda a, b: a + b,
    arith.SubfOp: lambda a, b: a - b,
    arith.MulfOp: lambda a, b: a * b,
    arith.DivfOp: lambda a, b: a / b,
}


def fold_floats(op: Any) -> Fold:
    """Both operands constant and the result a number, rounded once to its type."""
    a, b = _float(op.lhs), _float(op.rhs)
    if a is None or b is None or not isinstance(op.result.type, FloatType):
        return None
    import numpy as np

    kind = cast(Any, _format(op.result.type))
    with np.errstate(all="ignore"):
        value = float(FLOATS[op.__class__](kind(a), kind(b)))
    # Which NaN an operation gives is not fixed.
    return None if np.isnan(value) else FloatAttr(value, op.result.type)


def fold_scale(op: Any) -> Fold:
    """x * 1 = x / 1 = x"""
    return op.lhs if _float(op.rhs) == 1.0 else fold_floats(op)


# Memory


def fold_dim(op: memref.DimOp) -> Fold:
    """A static size, or the operand that gave a dynamic one"""
    axis = constant_of(op.index)
    type = op.source.type
    if axis is None or not isinstance(type, MemRefType):
        return None
    shape = cast(MemRefType[Attribute], type).get_shape()
    if not 0 <= axis < len(shape):
        return None
    if shape[axis] != DYNAMIC_INDEX:
        return integer(shape[axis], op.result.type)
    made_by = op.source.owner
    if isinstance(made_by, (memref.AllocOp, memref.AllocaOp)):
        return made_by.dynamic_sizes[sum(size == DYNAMIC_INDEX for size in shape[:axis])]
    return None


FOLDS = Registry[Callable[[Any], Fold]](
    {
        **dict.fromkeys(CONSTANTS, fold_integers),
        **dict.fromkeys((arith.RemSIOp, arith.RemUIOp), fold_remainder),
        **dict.fromkeys((arith.MinSIOp, arith.MaxSIOp, arith.MinUIOp, arith.MaxUIOp), fold_same_or_constants),
        **dict.fromkeys((arith.SubiOp, arith.XOrIOp), fold_to_zero),
        **dict.fromkeys((arith.AndIOp, arith.OrIOp), fold_idempotent),
        **dict.fromkeys((arith.AddfOp, arith.SubfOp), fold_floats),
        **dict.fromkeys((arith.MulfOp, arith.DivfOp), fold_scale),
        arith.CmpiOp: fold_compare,
        arith.ExtSIOp: fold_extend_signed,
        arith.ExtUIOp: fold_extend_unsigned,
        arith.TruncIOp: fold_truncate,
        arith.IndexCastOp: fold_index_cast,
        memref.DimOp: fold_dim,
    }
)
"""The fold of an operation's only result."""
