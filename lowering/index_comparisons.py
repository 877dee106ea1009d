"""Comparisons of indices that were widened become comparisons of indices."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects.arith import constant_of
from hologram.walking import operations

_UNSIGNED = 6
"""The first of the predicates that read integers as unsigned."""
_END = 1 << 31
"""What every index may be: those of some devices have 32 bits."""


def compare_indices(top: Operation) -> None:
    """Has comparisons of an index, as an i64, with another or a constant compare the indices themselves.

    A device whose indices have 32 bits would compare 64 otherwise. And Mesa's drivers up to 22 at least get the
    comparison of a widened number with a constant wrong.
    """
    for op in operations(top):
        if isinstance(op, arith.CmpiOp) and op.lhs.type == i64:
            _compare(op)


def _compare(op: arith.CmpiOp) -> None:
    unsigned = op.predicate.value.data >= _UNSIGNED
    found = [_index(v) for v in (op.lhs, op.rhs)]
    numbers = [constant_of(v) for v in (op.lhs, op.rhs)]
    fits = [n is not None and (0 if unsigned else -_END) <= n < _END for n in numbers]
    if all(v is None for v in found) or not all(v is not None or f for v, f in zip(found, fits, strict=True)):
        return
    sides: list[SSAValue] = []
    for value, number in zip(found, numbers, strict=True):
        if value is None:
            assert number is not None
            constant = arith.ConstantOp(IntegerAttr(number, IndexType()))
            constant.location = op.location
            Rewriter.insert_op(constant, InsertPoint.before(op))
            value = constant.result
        sides.append(value)
    made = arith.CmpiOp(sides[0], sides[1], op.predicate.value.data)
    made.location = op.location
    Rewriter.replace_op(op, made)


def _index(value: SSAValue) -> SSAValue | None:
    """The index that a value is, sign-extended."""
    owner = value.owner
    return owner.input if isinstance(owner, arith.IndexCastOp) and isinstance(owner.input.type, IndexType) else None
