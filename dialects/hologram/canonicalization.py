"""Canonicalisation of tensor operations: a pattern a law, each exact for every element, NaN and -0 included."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from hologram.dialects.hologram import elementwise, tensors
from hologram.dialects.hologram.base import TensorOp, integer_array, integers, shape_of
from hologram.dialects.hologram.folding import constant_of, splat_in
from hologram.dialects.lazy import np


def replace(rewriter: PatternRewriter, op: Operation, value: SSAValue) -> None:
    """Replaces the result by a value of its very type; a mere change of static sizes is left to infer-shapes."""
    if value.type == op.results[0].type:
        rewriter.replace(op, [], [value])


def rebuild(rewriter: PatternRewriter, op: Operation, new: Operation) -> None:
    """Replaces an operation by another in its place."""
    new.location = op.location
    rewriter.replace(op, new)


def splat_of(value: SSAValue) -> int | float | None:
    """The number that every element of a constant equals, also through a broadcast; None otherwise."""
    owner = value.owner
    if isinstance(owner, tensors.BroadcastOp):
        return splat_of(owner.x)
    attr = constant_of(value)
    splat = None if attr is None else splat_in(attr)
    return splat.value.data if isinstance(splat, IntegerAttr | FloatAttr) else None


# Laws of element-wise operations

_NEUTRAL: dict[str, tuple[int, bool]] = {
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
_IDEMPOTENT = (
    "hologram.abs", "hologram.relu", "hologram.floor", "hologram.ceil", "hologram.round", "hologram.trunc",
    "hologram.sign",
)  # fmt: skip
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
        # Signed and unsigned readings of one operation are two functions.
        same = isinstance(inner, Operation) and inner.name == op.name and inner.properties == op.properties
        if op.name in _IDEMPOTENT and same:
            replace(rewriter, op, op.operands[0])
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
            rebuild(rewriter, op, new)


class ComposedReshape(RewritePattern):
    """reshape(reshape(x)) = reshape(x)."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensors.ReshapeOp, rewriter: PatternRewriter) -> None:
        inner = op.x.owner
        if isinstance(inner, tensors.ReshapeOp):
            new = tensors.ReshapeOp.create(operands=[inner.x, *op.sizes], result_types=[op.result.type])
            rebuild(rewriter, op, new)


class ComposedSlice(RewritePattern):
    """slice(slice(x)) = slice(x): the starts and strides compose. Dynamic sizes must be checked one after the other."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensors.SliceOp, rewriter: PatternRewriter) -> None:
        inner = op.x.owner
        if not isinstance(inner, tensors.SliceOp) or not _static(op) or not _static(inner):
            return
        parts = zip(
            integers(op.starts), integers(op.strides), integers(inner.starts), integers(inner.strides), strict=True
        )
        # An axis without elements may start anywhere, also where the sum is negative.
        pairs = [(max(b + a * t, 0), s * t) for a, s, b, t in parts]
        new = tensors.SliceOp.create(
            operands=[inner.x, *op.sizes],
            result_types=[op.result.type],
            properties={
                "starts": integer_array([start for start, _ in pairs]),
                "strides": integer_array([stride for _, stride in pairs]),
            },
        )
        rebuild(rewriter, op, new)


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
