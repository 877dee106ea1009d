"""Removes the casts that partial conversions leave between converted and unconverted values, where they cancel.

Unlike xDSL's pass of this name it knows casts between one value and several, which memrefs need.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnrealizedConversionCastOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.support.walking import operations


def _origin(cast: UnrealizedConversionCastOp) -> tuple[SSAValue, ...] | None:
    """Values of the cast's result types, found by going back through casts; None if there are none."""
    wanted = tuple(r.type for r in cast.results)
    values = tuple(cast.inputs)
    while tuple(v.type for v in values) != wanted:
        before = values[0].owner if values else None
        if not isinstance(before, UnrealizedConversionCastOp) or tuple(before.results) != values:
            return None
        values = tuple(before.inputs)
    return values


def reconcile(module: Operation) -> None:
    """Removes casts that cancel and casts that nobody uses."""
    casts = [op for op in operations(module) if isinstance(op, UnrealizedConversionCastOp)]
    for cast in casts:
        origin = _origin(cast)
        if origin is None:
            continue
        for result, value in zip(cast.results, origin, strict=True):
            result.replace_all_uses_with(value)
    for cast in reversed(casts):
        if all(result.first_use is None for result in cast.results) and (block := cast.parent) is not None:
            block.erase_op(cast)


@dataclass(frozen=True)
class ReconcileUnrealizedCastsPass(ModulePass):
    """Removes `builtin.unrealized_conversion_cast` operations that cancel each other.

    Before::

        %1 = builtin.unrealized_conversion_cast %0 : i64 to index
        %2 = builtin.unrealized_conversion_cast %1 : index to i64
        use(%2)

    After: `use(%0)`
    """

    name = "reconcile-unrealized-casts"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        reconcile(op)
