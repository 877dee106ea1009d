"""The pass `contract-fma`: a product and a sum become one instruction with one rounding, where they are marked."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.instruction import CONTRACT, ScalarOp
from hologram.support.walking import operations

MAY_CONTRACT = (scalar.MulOp, scalar.AddOp, scalar.SubOp, scalar.MadOp)
"""The operations that may bear the mark."""


@dataclass(frozen=True)
class ContractFmaPass(ModulePass):
    """Contracts marked multiplications into the marked additions and subtractions that use them.

    Both operations bear the mark `contract`, and the product has no other use. a * b + c and c + a * b become `fma`,
    a * b - c becomes `fms`, c - a * b becomes `fma` of -a; a marked `mad` becomes `fma`. Integers keep their meaning,
    and stay. With `all=true` marks are not asked for: that changes what a program means.

    Before::

        %p = atlas.mul f32 %a, %b {contract}
        %s = atlas.add f32 %p, %c {contract}

    After::

        %s = atlas.fma f32 %a, %b, %c
    """

    name = "contract-fma"

    all: bool = False
    """Whether unmarked operations are contracted too."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in operations(op):
            sum = isinstance(inner, scalar.AddOp | scalar.SubOp | scalar.MadOp)
            if sum and isinstance(inner, ScalarOp) and self._may(inner):
                self._contract(inner)

    def _may(self, op: ScalarOp) -> bool:
        return op.dtype.is_float and (self.all or CONTRACT in op.attributes)

    def _contract(self, op: ScalarOp) -> None:
        if isinstance(op, scalar.MadOp):
            _replace(op, [scalar.FmaOp(op.dtype, *op.operands)])
            return
        a, b = op.operands
        minus = isinstance(op, scalar.SubOp)
        if (product := self._product(a)) is not None:
            fused = scalar.FmsOp if minus else scalar.FmaOp
            _replace(op, [fused(op.dtype, *product.operands, b)])
        elif (product := self._product(b)) is not None and minus:
            negated = scalar.NegOp(op.dtype, product.operands[0])
            _replace(op, [negated, scalar.FmaOp(op.dtype, negated.results[0], product.operands[1], a)])
        elif product is not None:
            _replace(op, [scalar.FmaOp(op.dtype, *product.operands, a)])
        if product is not None:
            Rewriter.erase_op(product)

    def _product(self, value: SSAValue) -> ScalarOp | None:
        """The product that a value is, if it may go into its only use."""
        op = value.op if isinstance(value, OpResult) and value.has_one_use() else None
        return op if isinstance(op, ScalarOp) and isinstance(op, scalar.MulOp) and self._may(op) else None


def _replace(op: ScalarOp, new: list[ScalarOp]) -> None:
    for new_op in new:
        new_op.location = op.location
    new[-1].results[0].name_hint = op.results[0].name_hint
    Rewriter.replace_op(op, list(new))
