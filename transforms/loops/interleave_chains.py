"""Mixes long chains of operations that do not depend on one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator, is_side_effect_free

from hologram.dialects import gpu
from hologram.support.option_ranges import Natural
from hologram.support.splicing import move
from hologram.support.walking import operations

MOST = 1024
"""The operations that are ordered together."""


@dataclass(frozen=True)
class InterleaveChainsPass(ModulePass):
    """Orders straight code of kernels without effects by how many operations wait for each one, in a row, where the
    longest chain has `length` operations or more; with 0 nothing is ordered. A processor looks ahead over some dozens
    of operations that wait, so chains one behind another, as the exponentials of a thread's elements are, run one after
    another where the driver's compiler leaves them so. What a chain wants late is computed late, which takes fewer
    registers. Short chains stay as they are, for those that have many of them have few registers to spare.

    What reads or writes memory stays where it is, so that chains which loads begin are not all begun at once.

    Before::

        %a = arith.addf %x, %c : f32
        %b = arith.mulf %a, %a : f32
        %d = arith.addf %y, %c : f32
        %e = arith.mulf %d, %d : f32

    After, with `length=2`::

        %a = arith.addf %x, %c : f32
        %d = arith.addf %y, %c : f32
        %b = arith.mulf %a, %a : f32
        %e = arith.mulf %d, %d : f32
    """

    name = "interleave-chains"
    length: Natural = 24

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.length:
            return
        kernels = [o for o in operations(op) if isinstance(o, gpu.FuncOp)]
        parents = [o for kernel in kernels for o in (kernel, *operations(kernel)) if o.regions]
        for block in [block for parent in parents for region in parent.regions for block in region.blocks]:
            for run in _runs(block):
                _order(block, run, self.length)


def _runs(block: Block) -> Iterator[list[Operation]]:
    """Neighbours without effects."""
    run: list[Operation] = []
    for op in list(block.ops):
        moves = not op.regions and not op.has_trait(IsTerminator) and is_side_effect_free(op)
        if moves:
            run.append(op)
        if run and (not moves or len(run) == MOST):
            yield run
            run = []


def _order(block: Block, run: Sequence[Operation], length: int) -> None:
    heights: dict[Operation, int] = {}
    for op in reversed(run):
        users = [use.operation for result in op.results for use in result.uses]
        heights[op] = 1 + max((heights.get(user, 0) for user in users), default=0)
    behind = run[-1].next_op
    # A block without a terminator may end with the run.
    if behind is None or max(heights.values()) < length:
        return
    move(sorted(run, key=lambda o: -heights[o]), block, behind)
