"""Rewrites math operations to polynomials, so that no device needs a math library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, BFloat16Type, Float16Type, ModuleOp, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects import marks
from hologram.errors import PassError, UsageError
from hologram.lowering.arithmetic.expansions.expression import F32, Emitter, Expression, format_of
from hologram.lowering.arithmetic.expansions.rows import EXPANSIONS, Expansion
from hologram.lowering.arithmetic.expansions.tables import declare
from hologram.support.host_target import host_target
from hologram.support.walking import operations


@dataclass(frozen=True)
class ExpandMathPass(ModulePass):
    """Replaces each math operation, and `arith.remf`, that has a row in the table of expansions; the others stay.

    Scalars and vectors of f32 and f64 are computed in their own format; f16 and bf16 in f32, rounded once at the end.
    With `fma=false` the expansions use no fused multiply-add and keep the same bounds; `math.fma` itself stays.
    `vector-bytes` is the width of a vector register (16, 32 or 64), by default this machine's: AVX-512 has instructions
    that scale by a power of two, which give the same bits as the multiplications in their place.
    Without tables an operation that is marked `hologram.not_above_zero`, or is of the negative of a square, may take
    fewer steps to the same bits.

    Before::

        %y = math.rsqrt %x : f16

    After::

        %0 = arith.extf %x : f16 to f32
        %1 = math.sqrt %0 : f32
        %2 = arith.constant 1.0 : f32
        %3 = arith.divf %2, %1 : f32
        %y = arith.truncf %3 : f32 to f16
    """

    name = "expand-math"

    fma: bool = True
    """Whether the target has a true fused multiply-add."""
    vector_bytes: int = 0
    tables: bool = True
    """Whether tables are as fast as arithmetic; else exp of f32 has a longer polynomial and none."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.vector_bytes not in (0, 16, 32, 64):
            raise UsageError(
                "expand-math-vector-bytes",
                f"option 'vector-bytes' of expand-math is 16, 32 or 64, not {self.vector_bytes}",
            )
        rows = {kind.name: expansion for kind, expansion in EXPANSIONS.items()}
        matches = [
            (nested, expansion)
            for nested in operations(op)
            if (expansion := rows.get(nested.name)) is not None and _rank(nested) <= expansion.rank
        ]
        scales = bool(matches) and (self.vector_bytes or host_target().vector_bytes) == 64
        for nested, expansion in matches:
            expand(nested, expansion, fused=self.fma, scales=scales, looks_up=self.tables)


def expand(
    op: Operation, expansion: Expansion, *, fused: bool = True, scales: bool = False, looks_up: bool = True
) -> None:
    """Replaces `op` by its expansion."""
    type = op.results[0].type
    element, shape = _split(type)
    emitter = Emitter(format_of(element) or F32, shape, fused, scales, looks_up)
    widened = isinstance(element, (Float16Type, BFloat16Type))
    if not widened and emitter.format.float != element:
        raise PassError(
            op,
            "math-type",
            f"'{op.name}' has no expansion for {type}",
            hint="there are expansions for f16, bf16, f32 and f64, and vectors of them",
        )
    operands = [_operand(emitter, value, widened) for value in op.operands]
    below = expansion.below if not looks_up and _is_not_above_zero(op) else None
    result = (below or expansion.build)(*operands)
    if widened:
        result = emitter.expression(arith.TruncFOp(result.value, type))
    for new in emitter.ops:
        for nested in operations(new):
            nested.location = op.location
    result.value.name_hint = op.results[0].name_hint
    Rewriter.insert_op(emitter.ops, InsertPoint.before(op))
    Rewriter.replace_op(op, [], [result.value])
    declare(emitter.tables)


def _is_not_above_zero(op: Operation) -> bool:
    """Return whether the first operand is known to be no number above 0."""
    negative = op.operands[0].owner
    square = negative.operand.owner if isinstance(negative, arith.NegfOp) else None
    return marks.NOT_ABOVE_ZERO in op.attributes or (isinstance(square, arith.MulfOp) and square.lhs is square.rhs)


def _rank(op: Operation) -> int:
    type = op.results[0].type
    return type.get_num_dims() if isinstance(type, VectorType) else 0


def _split(type: Attribute) -> tuple[Attribute, tuple[int, ...] | None]:
    """The element type, and the shape of a vector of fixed size."""
    if not isinstance(type, VectorType):
        return type, None
    vector = cast(VectorType[AnyFloat], type)
    return vector.element_type, vector.get_shape()


def _operand(emitter: Emitter, value: SSAValue, widened: bool) -> Expression:
    if not widened:
        return Expression(emitter, value)
    return emitter.expression(arith.ExtFOp(value, emitter.shaped(emitter.format.float)))
