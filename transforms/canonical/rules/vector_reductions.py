"""Reductions of vectors along axes that have one element."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from hologram.transforms.canonical.rules.dense import axes_of, create, is_vector, scalable_of, shape_of, vector_of
from hologram.transforms.canonical.rules.vector_extract import positioned

_FLOATS = {
    "add": arith.AddfOp, "mul": arith.MulfOp, "minnumf": arith.MinnumfOp, "maxnumf": arith.MaxnumfOp,
    "minimumf": arith.MinimumfOp, "maximumf": arith.MaximumfOp,
}  # fmt: skip
_INTEGERS = {
    "add": arith.AddiOp, "mul": arith.MuliOp, "minui": arith.MinUIOp, "minsi": arith.MinSIOp, "maxui": arith.MaxUIOp,
    "maxsi": arith.MaxSIOp, "and": arith.AndIOp, "or": arith.OrIOp, "xor": arith.XOrIOp,
}  # fmt: skip


def _combine(op: Any, a: SSAValue, b: SSAValue) -> Operation | None:
    """Make the operation that combines two values as a reduction does."""
    element = cast(Any, a.type).element_type if is_vector(a.type) else a.type
    kind = (_FLOATS if isinstance(element, AnyFloat) else _INTEGERS).get(op.properties["kind"].data.value)
    if kind is None:
        return None
    flags = op.properties.get("fastmath")
    given = {} if flags is None or kind not in _FLOATS.values() else {"fastmath": flags}
    return cast("type[Operation]", kind).create(operands=[a, b], result_types=[a.type], properties=given)


def _root(op: Operation) -> tuple[Operation, SSAValue | None] | None:
    """The operation that stands for a reduction, and its mask; None if the mask has more than that."""
    around = op.parent_op()
    if around is None or around.name != "vector.mask":
        return op, None
    return (around, around.operands[0]) if len(around.operands) == 1 else None


def _finish(
    op: Any,
    rewriter: PatternRewriter,
    new: list[Operation],
    acc: SSAValue | None,
    value: SSAValue,
    mask: SSAValue | None,
) -> None:
    """Replace a reduction by the value combined with what is accumulated, where the mask is set."""
    root = _root(op)
    assert root is not None
    result = value
    if acc is not None:
        combined = _combine(op, acc, value) if op.name == "vector.multi_reduction" else _combine(op, value, acc)
        if combined is None:
            return
        new.append(combined)
        result = combined.results[0]
        if mask is not None:
            new.append(arith.SelectOp(mask, result, acc))
            result = new[-1].results[0]
    rewriter.replace(root[0], new, [result])


def reduce_axes_of_one(op: Any, rewriter: PatternRewriter) -> None:
    """Reducing axes of one element combines each element with what is accumulated"""
    source, acc = op.operands
    axes: list[tuple[int, bool]] = axes_of(source.type)
    reduced: list[int] = list(op.properties["reduction_dims"].get_values())
    root = _root(op)
    if root is None or any(axes[n] != (1, False) for n in reduced):
        return
    mask, type, new = root[1], op.results[0].type, list[Operation]()

    def bring(value: SSAValue, to: Attribute) -> SSAValue:
        if value.type == to:
            return value
        if is_vector(to):
            new.append(create("vector.shape_cast", [value], [to]))
        else:
            new.append(positioned("vector.extract", [value], [0] * len(axes), to))
        return new[-1].results[0]

    if mask is not None:
        mask = bring(mask, vector_of(i1, axes_of(type)) if is_vector(type) else i1)
    value = bring(source, type)
    _finish(op, rewriter, new, acc, value, mask)


def reduce_one(op: Any, rewriter: PatternRewriter) -> None:
    """Reducing a vector of one element gives it, combined with what is accumulated"""
    source, root = op.operands[0], _root(op)
    acc = op.operands[1] if len(op.operands) > 1 else None
    if root is None or shape_of(source.type) not in ((), (1,)) or any(scalable_of(source.type)):
        return
    mask, new = root[1], list[Operation]()
    position = [0] * len(shape_of(source.type))
    if mask is not None:
        # Without an accumulator, the result is the neutral element where the mask is not set.
        if acc is None:
            return
        new.append(positioned("vector.extract", [mask], position, i1))
        mask = new[-1].results[0]
    new.append(positioned("vector.extract", [source], position, op.results[0].type))
    _finish(op, rewriter, new, acc, new[-1].results[0], mask)
