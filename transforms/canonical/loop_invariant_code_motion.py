"""The pass `loop-invariant-code-motion`: what is the same in every iteration is computed once, in front of the loop."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free, is_speculatable
from xdsl.transforms.loop_invariant_code_motion import can_be_hoisted

from hologram.dialects.atlas.arrays.general import ArrayOp
from hologram.dialects.atlas.lanes.control import LoopOp, RepeatOp
from hologram.dialects.shapes import is_tensor
from hologram.support.walking import operations

LOOPS = (scf.ForOp, scf.WhileOp, scf.ParallelOp, LoopOp, RepeatOp)


@dataclass(frozen=True)
class LoopInvariantCodeMotionPass(ModulePass):
    """Moves what does not change out of `scf.for`, `scf.while`, `scf.parallel`, `atlas.loop` and `atlas.repeat`.

    Such operations have no effect and can't trap, so it does no harm that they are computed where the loop never runs.
    Loads stay. `tensors` leaves loops alone that compute no tensors.

    Before::

        %s = atlas.loop %n : i32 iter(%zero : f32) {
        ^bb0(%i: i32, %acc: f32):
          %k = atlas.mul f32 %a, %b
          %next = atlas.add f32 %acc, %k
          atlas.yield %next : f32
        }

    After, with %k in front of the loop::

        %k = atlas.mul f32 %a, %b
        %s = atlas.loop %n : i32 iter(%zero : f32) { ... }
    """

    name = "loop-invariant-code-motion"

    tensors: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Inner loops come first, so that their operations can go on outwards.
        loops = [o for o in op.walk(reverse=True, region_first=True) if isinstance(o, LOOPS)]
        chosen = _around_tensors(op) if loops and self.tensors else set(loops)
        for loop in loops:
            if loop in chosen:
                for region in loop.regions:
                    _hoist(loop, region)


def _around_tensors(module: ModuleOp) -> set[Operation]:
    """The operations that hold some that compute tensors."""
    found: set[Operation] = set()
    for op in operations(module):
        around = op.parent_op() if any(is_tensor(r.type) for r in op.results) else None
        while around is not None and around not in found:
            found.add(around)
            around = around.parent_op()
    return found


def _may_move(op: Operation) -> bool:
    """Return whether an operation may be computed although the loop never runs."""
    if not is_side_effect_free(op) or isinstance(op, tensor.InsertSliceOp):
        return False  # A part that stays in the loop is computed in its place.
    is_array = isinstance(op, tensor.EmptyOp | tensor.DimOp) or (isinstance(op, ArrayOp) and op.is_value_form)
    return is_array or is_speculatable(op)


def _hoist(loop: Operation, region: Region) -> None:
    block = loop.parent
    assert block is not None
    # In order, so that what an operation needs has been moved before it.
    for op in [op for block in region.blocks for op in block.ops]:
        if _may_move(op) and can_be_hoisted(op, region):
            op.detach()
            block.insert_op_before(op, loop)
