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

from hologram.errors import PassError
from hologram.lowering.expansions import EXPANSIONS, Expansion
from hologram.lowering.expansions.expression import F32, Emitter, Expression, format_of


@dataclass(frozen=True)
class ExpandMathPass(ModulePass):
    """Replaces each math operation, and `arith.remf`, that has a row in the table of expansions; the others stay.

    Scalars and vectors of f32 and f64 are computed in their own format; f16 and bf16 in f32, rounded once at the end.
    With `fma=false` the expansions use no fused multiply-add and keep the same bounds; `math.fma` itself stays.

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

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rows = {kind.name: expansion for kind, expansion in EXPANSIONS.items()}
        for nested in list(op.walk()):
            if (expansion := rows.get(nested.name)) is not None and _rank(nested) <= expansion.rank:
                expand(nested, expansion, fused=self.fma)


def expand(op: Operation, expansion: Expansion, *, fused: bool = True) -> None:
    """Replaces `op` by its expansion."""
    type = op.results[0].type
    element, shape = _split(type)
    emitter = Emitter(format_of(element) or F32, shape, fused)
    widened = isinstance(element, (Float16Type, BFloat16Type))
    if not widened and emitter.format.float != element:
        raise PassError(
            op,
            "math-type",
            f"'{op.name}' has no expansion for {type}",
            hint="there are expansions for f16, bf16, f32 and f64, and vectors of them",
        )
    operands = [_operand(emitter, value, widened) for value in op.operands]
    result = expansion.build(*operands)
    if widened:
        result = emitter.emit(arith.TruncFOp(result.value, type))
    for new in emitter.ops:
        for nested in new.walk():
            nested.location = op.location
    result.value.name_hint = op.results[0].name_hint
    Rewriter.insert_op(emitter.ops, InsertPoint.before(op))
    Rewriter.replace_op(op, [], [result.value])


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
    return emitter.emit(arith.ExtFOp(value, emitter.shaped(emitter.format.float)))
