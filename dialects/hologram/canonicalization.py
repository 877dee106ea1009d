"""Canonicalisation of tensor operations: a pattern a law, each exact for every element, NaN and -0 included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.traits import ConstantLike

from hologram.dialects.atlas.instruction import Trap, constant_attr, constant_lanes
from hologram.dialects.atlas.types import DType
from hologram.dialects.hologram import elementwise, tensors
from hologram.dialects.hologram.base import TensorOp, integer_array, integers, shape_of
from hologram.dialects.lazy import np

FOLD_LIMIT = 4096
"""Constants of more elements stay unfolded, unless they are splats."""


def replace(rewriter: PatternRewriter, op: Operation, value: SSAValue) -> None:
    """Replaces the result by a value of its very type; a mere change of static sizes is left to infer-shapes."""
    if value.type == op.results[0].type:
        rewriter.replace_matched_op([], [value])


def constant_of(value: SSAValue) -> DenseIntOrFPElementsAttr | None:
    """The dense constant behind a value, if any."""
    attr = ConstantLike.get_constant_value(value)
    return attr if isinstance(attr, DenseIntOrFPElementsAttr) else None


def splat_of(value: SSAValue) -> Any:
    """The Python number that every element of a constant equals, also through a broadcast; None otherwise."""
    owner = value.owner
    if isinstance(owner, tensors.BroadcastOp):
        return splat_of(owner.x)
    attr = constant_of(value)
    if attr is None or not attr.is_splat():
        return None
    return attr.get_values()[0]


# Folding of constants


def fold_elementwise(op: elementwise.ElementwiseOp) -> tuple[Attribute, ...] | None:
    """The constant result of constant operands, for instructions whose bits are the same everywhere."""
    result = op.results[0].type
    if isinstance(op, elementwise.CastOp | elementwise.CompareOp) or not op.INSTRUCTION.exact:
        return None
    attrs = [constant_of(v) for v in op.operands]
    known = [a for a in attrs if a is not None]
    if len(known) != len(attrs) or not isinstance(result, TensorType):
        return None
    lanes = _lanes(known, [_dtype(op, v) for v in op.operands])
    if lanes is None:
        return None
    try:
        values = op.INSTRUCTION.evaluate(op.dtype, *_amounts(op, lanes))
    except Trap:
        return None
    elements = [constant_attr(v, op.dtype).value.data for v in np.ravel(values)]  # pyright: ignore
    return (DenseIntOrFPElementsAttr.from_list(result, elements),)  # pyright: ignore


def _dtype(op: elementwise.ElementwiseOp, value: SSAValue) -> DType:
    from hologram.dialects.atlas.types import dtype_of

    dtype = dtype_of(value.type.element_type)  # pyright: ignore
    assert dtype is not None
    return dtype


def _amounts(op: elementwise.ElementwiseOp, lanes: list[Any]) -> list[Any]:
    """Shift amounts as u32."""
    if list(op.INSTRUCTION.operands.values())[-1] == "u32":
        return [lanes[0], lanes[1].astype(np.int32)]
    return lanes


def _lanes(attrs: Sequence[DenseIntOrFPElementsAttr], dtypes: Sequence[DType]) -> list[Any] | None:
    """The elements as arrays in storage form; one lane if all are splats; None if there are too many."""
    if any(0 in a.get_shape() for a in attrs):
        return None
    single = all(a.is_splat() for a in attrs)
    count = 1 if single else max(len(a) for a in attrs)
    if count > FOLD_LIMIT:
        return None
    arrays: list[Any] = []
    for attr, dtype in zip(attrs, dtypes, strict=True):
        values = list(attr.iter_attrs())[:1] if attr.is_splat() else list(attr.iter_attrs())
        lanes = [constant_lanes(v, dtype) for v in values]
        if any(lane is None for lane in lanes):
            return None
        array = np.concatenate([lane for lane in lanes if lane is not None])
        arrays.append(np.repeat(array, count) if len(array) == 1 else array)
    return arrays


# Laws of element-wise operations

_NEUTRAL: dict[str, tuple[Any, bool]] = {
    # operation: (neutral right operand, whether it is neutral for floats too)
    "hologram.add": (0, False),  # x + 0 = x for integers; -0 + +0 is +0
    "hologram.sub": (0, True),  # x - 0 = x, also -0 - +0
    "hologram.mul": (1, True),  # x * 1 = x
    "hologram.div": (1, True),  # x / 1 = x
    "hologram.or": (0, False),  # x | 0 = x
    "hologram.xor": (0, False),  # x ^ 0 = x
    "hologram.shl": (0, False),  # x << 0 = x
    "hologram.shr": (0, False),  # x >> 0 = x
}
_INVOLUTIONS = ("hologram.neg", "hologram.not")
_IDEMPOTENT = ("hologram.abs", "hologram.relu", "hologram.floor", "hologram.ceil", "hologram.round", "hologram.trunc", "hologram.sign")
_SAME = ("hologram.and", "hologram.or", "hologram.min", "hologram.max")


class NeutralOperand(RewritePattern):
    """x op e = x, where e is the neutral element."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, elementwise.ElementwiseOp) or op.name not in _NEUTRAL:
            return
        neutral, floats = _NEUTRAL[op.name]
        splat = splat_of(op.operands[1])
        if splat is None or splat != neutral or (op.dtype.is_float and not floats):
            return
        if op.dtype.is_float and splat == 0 and np.signbit(splat):
            return  # x - (-0) is x + 0
        replace(rewriter, op, op.operands[0])


class Involution(RewritePattern):
    """f(f(x)) = x."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        inner = op.operands[0].owner
        if op.name in _INVOLUTIONS and isinstance(inner, Operation) and inner.name == op.name:
            replace(rewriter, op, inner.operands[0])


class Idempotence(RewritePattern):
    """f(f(x)) = f(x), and f(x, x) = x."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        inner = op.operands[0].owner
        if op.name in _IDEMPOTENT and isinstance(inner, Operation) and inner.name == op.name:
            replace(rewriter, op, inner.results[0])
        elif op.name in _SAME and op.operands[0] is op.operands[1]:
            replace(rewriter, op, op.operands[0])


class SameChoice(RewritePattern):
    """select(p, x, x) = x; a constant predicate chooses."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: elementwise.SelectOp, rewriter: PatternRewriter) -> None:
        chosen = splat_of(op.p)
        if op.a is op.b:
            replace(rewriter, op, op.a)
        elif chosen is not None:
            replace(rewriter, op, op.a if chosen else op.b)


class IdentityCast(RewritePattern):
    """A cast to the type it has is nothing."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: elementwise.CastOp, rewriter: PatternRewriter) -> None:
        replace(rewriter, op, op.x)


# Laws of moves


class IdentityMove(RewritePattern):
    """A move to the same shape that moves nothing is nothing."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        match op:
            case tensors.TransposeOp():
                still = integers(op.permutation) == list(range(len(op.permutation)))
            case tensors.SliceOp():
                still = not any(integers(op.starts)) and set(integers(op.strides)) <= {1} and _static(op)
            case tensors.ReshapeOp() | tensors.BroadcastOp():
                still = _static(op)
            case tensors.ConcatOp():
                still = len(op.parts) == 1
            case tensors.ReduceOp():
                still = not op.axes.data
            case _:
                return
        if still:
            replace(rewriter, op, op.operands[0])


def _static(op: TensorOp) -> bool:
    return all(n >= 0 for n in shape_of(op.results[0]))


class ComposedTranspose(RewritePattern):
    """transpose(transpose(x)) = transpose(x) by the product of the permutations."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensors.TransposeOp, rewriter: PatternRewriter) -> None:
        inner = op.x.owner
        if isinstance(inner, tensors.TransposeOp):
            first, second = integers(inner.permutation), integers(op.permutation)
            new = tensors.TransposeOp.create(
                operands=[inner.x],
                result_types=[op.result.type],
                properties={"permutation": integer_array([first[a] for a in second])},
            )
            rewriter.replace_matched_op(new)


class ComposedReshape(RewritePattern):
    """reshape(reshape(x)) = reshape(x)."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensors.ReshapeOp, rewriter: PatternRewriter) -> None:
        inner = op.x.owner
        if isinstance(inner, tensors.ReshapeOp):
            new = tensors.ReshapeOp.create(operands=[inner.x, *op.sizes], result_types=[op.result.type])
            rewriter.replace_matched_op(new)


class ComposedSlice(RewritePattern):
    """slice(slice(x)) = slice(x): the starts and strides compose."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensors.SliceOp, rewriter: PatternRewriter) -> None:
        inner = op.x.owner
        if not isinstance(inner, tensors.SliceOp):
            return
        outer = zip(integers(op.starts), integers(op.strides), integers(inner.starts), integers(inner.strides), strict=True)
        pairs = [(b + a * t, s * t) for a, s, b, t in outer]
        new = tensors.SliceOp.create(
            operands=[inner.x, *op.sizes],
            result_types=[op.result.type],
            properties={
                "starts": integer_array([start for start, _ in pairs]),
                "strides": integer_array([stride for _, stride in pairs]),
            },
        )
        rewriter.replace_matched_op(new)


_ELEMENTWISE = (NeutralOperand(), Involution(), Idempotence())
_PATTERNS: dict[type[Operation], tuple[RewritePattern, ...]] = {
    elementwise.SelectOp: (SameChoice(),),
    elementwise.CastOp: (IdentityCast(),),
    tensors.TransposeOp: (IdentityMove(), ComposedTranspose()),
    tensors.ReshapeOp: (IdentityMove(), ComposedReshape()),
    tensors.SliceOp: (IdentityMove(), ComposedSlice()),
    tensors.BroadcastOp: (IdentityMove(),),
    tensors.ConcatOp: (IdentityMove(),),
    tensors.ReduceOp: (IdentityMove(),),
}


def patterns_of(op: type[Any]) -> tuple[RewritePattern, ...]:
    """The patterns of an operation class."""
    return _PATTERNS.get(op, _ELEMENTWISE if issubclass(op, elementwise.ElementwiseOp) else ())
