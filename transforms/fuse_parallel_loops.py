"""`fuse-parallel-loops`: parallel loops over the same rows become one, and what is kept of a row stays in the cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free

from hologram.dialects.atlas.checks import AssertOp
from hologram.lowering.schedules.sizes import Sizes
from hologram.transforms.row_accesses import Accesses
from hologram.transforms.row_buffers import fold_sizes, shrink_buffers
from hologram.walking import operations


@dataclass(frozen=True)
class FuseParallelLoopsPass(ModulePass):
    """Joins neighbouring `scf.parallel` loops over the same range, where every memory that one of them writes and both
    touch is indexed by the loops' own indices along the same axes: then an iteration of the second loop needs nothing
    of the first but what the same iteration did. A row is read from memory once, and is in the cache for the rest.

    A value that an iteration stores for itself alone is passed on instead, and a buffer of rows that nothing else reads
    shrinks to one row. Loops that may trap or have effects besides loads and stores are left alone.

    Before::

        %m = memref.alloc(%n) : memref<?xf32>
        scf.parallel (%i) = (%c0) to (%n) step (%c1) {
          %s = ...
          memref.store %s, %m[%i] : memref<?xf32>
        }
        scf.parallel (%i) = (%c0) to (%n) step (%c1) {
          %t = memref.load %m[%i] : memref<?xf32>
          ...
        }
        memref.dealloc %m : memref<?xf32>

    After::

        scf.parallel (%i) = (%c0) to (%n) step (%c1) {
          %s = ...
          ...
        }
    """

    name = "fuse-parallel-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in operations(op):
            if isinstance(function, func.FuncOp) and len(function.body.blocks) == 1:
                fuse_function(function)


def fuse_function(function: func.FuncOp) -> None:
    """Fuses the loops that stand in the function's own block."""
    sizes = Sizes.of(function)
    block = function.body.block
    loops = sum(isinstance(op, scf.ParallelOp) for op in block.ops)
    if loops == 0 or (loops == 1 and not any(isinstance(op, memref.AllocOp) for op in block.ops)):
        return
    fold_sizes(block)
    for op in block.ops:
        if isinstance(op, AssertOp):
            sizes.assume(op)
    _fuse_block(block, sizes)
    for loop in [op for op in block.ops if isinstance(op, scf.ParallelOp)]:
        shrink_buffers(loop)


def _fuse_block(block: Block, sizes: Sizes) -> None:
    """Joins each loop with the one before it, if it may."""
    before: scf.ParallelOp | None = None
    frees: list[Operation] = []
    for op in list(block.ops):
        if isinstance(op, scf.ParallelOp):
            if before is not None and _may_fuse(before, op, sizes):
                # What was moved behind this loop must go behind the next one too, if that joins in.
                _fuse(before, op, frees)
            else:
                frees = []
            before = op
        elif isinstance(op, memref.DeallocOp):
            frees.append(op)
        elif not (is_side_effect_free(op) or isinstance(op, memref.AllocOp | AssertOp)):
            before = None


def _may_fuse(first: scf.ParallelOp, second: scf.ParallelOp, sizes: Sizes) -> bool:
    if first.results or second.results or not _same_range(first, second, sizes):
        return False
    a, b = Accesses.of(first), Accesses.of(second)
    if a is None or b is None:
        return False
    shared = (set(a.written) & set(b.touched)) | (set(a.touched) & set(b.written))
    return all(_own_rows(a, b, root) for root in shared)


def _same_range(first: scf.ParallelOp, second: scf.ParallelOp, sizes: Sizes) -> bool:
    bounds = [[*loop.lowerBound, *loop.upperBound, *loop.step] for loop in (first, second)]
    return len(bounds[0]) == len(bounds[1]) and all(
        a is b or sizes.index(a) == sizes.index(b) for a, b in zip(*bounds, strict=True)
    )


def _own_rows(a: Accesses, b: Accesses, root: SSAValue) -> bool:
    """Whether each iteration of both loops touches only its own part of a memory, through the same view."""
    places = {access.place for access in (*a.touched[root], *b.touched[root])}
    return len(places) == 1 and None not in places


def _fuse(first: scf.ParallelOp, second: scf.ParallelOp, frees: Sequence[Operation]) -> None:
    """Puts the body of `first` before that of `second`; what was freed between them is freed after both."""
    source, target = first.body.block, second.body.block
    for old, new in zip(source.args, target.args, strict=True):
        old.replace_all_uses_with(new)
    start = target.first_op
    assert start is not None
    for op in list(source.ops)[:-1]:
        op.detach()
        target.insert_op_before(op, start)
    first.detach()
    first.erase()
    assert (block := second.parent) is not None
    for op in reversed(frees):
        op.detach()
        block.insert_op_after(op, second)
