"""`decompose-atlas`: array-level instructions that are made of others become loops over those."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from hologram.dialects.atlas.arrays.extension import ExtensionOp
from hologram.errors import PassError, UsageError, did_you_mean
from hologram.lowering.arrays.decompositions.parts import Parts
from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module
from hologram.lowering.schedules.common.sizes import guard_sizes
from hologram.support.walking import operations
from hologram.transforms.analysis.sizes import Sizes, function_of

TABLE: dict[str, tuple[str, str]] = {
    # operation: (module in `decompositions`, function)
    "atlas.attention": ("attention", "decompose_attention"),
    "atlas.conv2d": ("convolution", "decompose_conv2d"),
    "atlas.flash_attention": ("attention", "decompose_attention"),
}
KEPT: dict[str, frozenset[str]] = {
    "cpu": frozenset(),
    "gpu": frozenset({"atlas.conv2d"}),
    "processor": frozenset({"atlas.conv2d"}),
}
"""By target, the operations that have schedules."""


@dataclass(frozen=True)
class DecomposeAtlasPass(ModulePass):
    """Turns array-level instructions on memrefs that others compute into these, in loops: convolutions and attention
    become products of parts that stay in the caches. With `target=gpu` or `processor` convolutions are left to
    schedule-atlas, which has kernels of their own for them.

    Sizes that must agree and are not known to are checked first; `schedule-atlas` then makes kernels of what is left.

    Before::

        atlas.attention ins(%q, %k, %v : ...) outs(%o : memref<8x512x64xf32>)

    After::

        scf.parallel (%head, %tile) = ... {
          atlas.gemm ins(%queries, %keys : ...) outs(%scores : memref<?x512xf32>)
          atlas.softmax ins(%scores : ...) outs(%scores : ...) {axis = 1 : i64}
          atlas.gemm ins(%scores, %values : ...) outs(%part : ...)
        }
    """

    name = "decompose-atlas"
    target: str = "cpu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.target not in KEPT:
            raise UsageError(
                "decompose-target",
                f"there is no target '{self.target}' of decompose-atlas",
                hint=did_you_mean(self.target, KEPT) or f"the targets are {', '.join(KEPT)}",
            )
        wanted = TABLE.keys() - KEPT[self.target]
        kinds = {type(inner) for inner in operations(op) if inner.name in wanted}
        if kinds:
            convert_module(op, Rules(table={kind: _rule(*TABLE[kind.name]) for kind in kinds}))


def _rule(module: str, function: str) -> Callable[[Rewriter, Any], None]:
    def decompose(rw: Rewriter, op: ExtensionOp) -> None:
        if op.is_value_form:
            raise PassError(
                op,
                "decompose-value-form",
                f"'{op.name}' works on tensors, which have no memory to work through in parts",
                hint="run bufferize first",
            )
        emit = getattr(import_module(f"hologram.lowering.arrays.decompositions.{module}"), function)
        parts = Parts(rw)
        guard_sizes(parts, op, Sizes.of(function_of(op)))
        emit(parts, op)

    return decompose
