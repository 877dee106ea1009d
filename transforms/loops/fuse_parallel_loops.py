"""`fuse-parallel-loops`: parallel loops over the same rows become one, and what is kept of a row stays in the cache.

Buffers of which each iteration uses its own part only are forwarded as values, or shrink to one row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import is_side_effect_free

from hologram.dialects.arith import constant_of
from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.op_builder import INDEX, OpBuilder
from hologram.support.splicing import splice
from hologram.support.walking import operations
from hologram.transforms.analysis.row_accesses import Access, Accesses
from hologram.transforms.analysis.sizes import Sizes

ROWS = 16
"""The rows that share one allocation of scratch."""


def shrink_buffers(loop: scf.ParallelOp) -> None:
    """Forwards what an iteration stores for itself, then gives each run of rows one row of what only they use."""
    accesses = Accesses.of(loop)
    if accesses is None:
        return
    rows: list[memref.AllocOp] = []
    for root, touches in accesses.touched.items():
        alloc = root.owner
        if isinstance(alloc, memref.AllocOp) and _is_only_used(alloc, touches):
            _forward(loop, alloc, touches)
            if alloc.parent is not None and _is_row(loop, alloc, touches):
                rows.append(alloc)
    if rows and len(loop.lowerBound) == 1:
        _share_rows(loop, rows)


def fold_sizes(block: Block) -> None:
    """Sizes of what is allocated in a block become the values it is allocated with."""
    for op in list(block.ops):
        if not isinstance(op, memref.DimOp) or not isinstance(alloc := op.source.owner, memref.AllocOp):
            continue
        if (place := constant_of(op.index)) is not None:
            shape = alloc.memref.type.get_shape()
            if place < len(shape) and shape[place] == DYNAMIC_INDEX:
                op.result.replace_all_uses_with(alloc.dynamic_sizes[list(shape[:place]).count(DYNAMIC_INDEX)])
                Rewriter.erase_op(op)


def _is_only_used(alloc: memref.AllocOp, accesses: Sequence[Access]) -> bool:
    """Return whether nothing uses the buffer but these accesses, without a view, and what frees it."""
    known = {access.op for access in accesses}
    users = {use.operation for use in alloc.memref.uses}
    return all(op in known or isinstance(op, memref.DeallocOp) for op in users)


# Values passed on


def _forward(loop: scf.ParallelOp, alloc: memref.AllocOp, accesses: Sequence[Access]) -> None:
    """Replace loads by the stored value where the one store of an element stands in the loop's own block."""
    own = tuple(loop.body.block.args)
    stores = [access.op for access in accesses if isinstance(access.op, memref.StoreOp)]
    if len(stores) != 1 or stores[0].parent is not loop.body.block:
        return
    store = stores[0]
    loads = [access.op for access in accesses if isinstance(access.op, memref.LoadOp)]
    if len(loads) + 1 != len(accesses) or any(tuple(access.indices) != own for access in accesses):
        return
    if not all(_follows(load, store) for load in loads):
        return
    for op in loads:
        op.results[0].replace_all_uses_with(store.value)
        Rewriter.erase_op(op)
    frees = [use.operation for use in alloc.memref.uses if isinstance(use.operation, memref.DeallocOp)]
    for op in (store, *frees, alloc):
        Rewriter.erase_op(op)


def _follows(op: Operation, store: Operation) -> bool:
    """Return whether `op`, or what holds it, stands behind `store` in its block."""
    block = store.parent
    assert block is not None
    above = block.find_ancestor_op_in_block(op)
    return above is not None and store.is_before_in_block(above)


# Rows that are reused


def _is_row(loop: scf.ParallelOp, alloc: memref.AllocOp, accesses: Sequence[Access]) -> bool:
    """Return whether the first axis, and it alone, is the loop's."""
    args = loop.body.block.args
    return all(len(a.indices) > 1 and a.indices[0] is args[0] and args[0] not in a.indices[1:] for a in accesses)


def _share_rows(loop: scf.ParallelOp, rows: Sequence[memref.AllocOp]) -> None:
    """The loop in runs of rows, each of which allocates the buffers' rows once."""
    body = loop.body.block
    outer = Block(arg_types=[INDEX])
    (start,) = outer.args
    start.name_hint = "rows"
    lower, upper, step = loop.lowerBound[0], loop.upperBound[0], loop.step[0]
    at, inside = OpBuilder(loop), OpBuilder(outer, loop)
    width = at.core.mul(ROWS, step)
    end = inside.core.min(inside.core.add(start, width), upper)
    scratch = [_row(outer, alloc) for alloc in rows]
    assert body.last_op is not None
    Rewriter.replace_op(body.last_op, scf.YieldOp())
    inside.emit(scf.ForOp(start, end, step, [], loop.detach_region(loop.body)))
    for row in scratch:
        inside.emit(memref.DeallocOp.get(row))
    inside.emit(scf.ReduceOp())
    for alloc, row in zip(rows, scratch, strict=True):
        for use in list(alloc.memref.uses):
            _use_row(use.operation, row)
        Rewriter.erase_op(alloc)
    at.emit(scf.ParallelOp([lower], [upper], [width], [outer]))
    Rewriter.erase_op(loop)


def _row(block: Block, alloc: memref.AllocOp) -> SSAValue:
    """Allocates one row of what `alloc` allocates."""
    type = alloc.memref.type
    shape = type.get_shape()
    sizes = list(alloc.dynamic_sizes)[1 if shape[0] == DYNAMIC_INDEX else 0 :]
    row = memref.AllocOp(sizes, [], MemRefType(type.element_type, shape[1:]), alloc.alignment)
    row.location = alloc.location
    block.add_op(row)
    row.memref.name_hint = alloc.memref.name_hint
    return row.memref


def _use_row(op: Operation, row: SSAValue) -> None:
    """The access without its first index; what freed the buffer goes."""
    if isinstance(op, memref.DeallocOp):
        return Rewriter.erase_op(op)
    place = 1 if isinstance(op, memref.StoreOp) else 0
    op.operands = [row if n == place else v for n, v in enumerate(op.operands) if n != place + 1]


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
    before: tuple[scf.ParallelOp, Accesses] | None = None
    frees: list[Operation] = []
    for op in list(block.ops):
        if isinstance(op, scf.ParallelOp):
            accesses = Accesses.of(op)
            if accesses is not None and before is not None and _may_fuse(*before, op, accesses, sizes):
                # What was moved behind this loop must go behind the next one too, if that joins in.
                _fuse(before[0], op, frees)
                accesses = before[1].joined(accesses)
            else:
                frees = []
            before = None if accesses is None else (op, accesses)
        elif isinstance(op, memref.DeallocOp):
            frees.append(op)
        elif not (is_side_effect_free(op) or isinstance(op, memref.AllocOp | AssertOp)):
            before = None


def _may_fuse(first: scf.ParallelOp, a: Accesses, second: scf.ParallelOp, b: Accesses, sizes: Sizes) -> bool:
    if first.results or second.results or not _same_range(first, second, sizes):
        return False
    shared = [root for root in b.touched if root in a.written or (root in b.written and root in a.touched)]
    return all(_own_rows(a, b, root) for root in shared)


def _same_range(first: scf.ParallelOp, second: scf.ParallelOp, sizes: Sizes) -> bool:
    bounds = [[*loop.lowerBound, *loop.upperBound, *loop.step] for loop in (first, second)]
    return len(bounds[0]) == len(bounds[1]) and all(
        a is b or sizes.index(a) == sizes.index(b) for a, b in zip(*bounds, strict=True)
    )


def _own_rows(a: Accesses, b: Accesses, root: SSAValue) -> bool:
    """Return whether each iteration of both loops touches only its own part of a memory, through the same view."""
    places = {access.place for access in (*a.touched[root], *b.touched[root])}
    return len(places) == 1 and None not in places


def _fuse(first: scf.ParallelOp, second: scf.ParallelOp, frees: Sequence[Operation]) -> None:
    """Puts the body of `first` before that of `second`; what was freed between them is freed after both."""
    # The first may be many that were joined: its operations stay where they are.
    source, target = second.body.block, first.body.block
    splice(source, target.args, target, target.last_op)
    second.detach_region(second.body)
    second.add_region(first.detach_region(first.body))
    Rewriter.erase_op(first)
    assert (block := second.parent) is not None
    for op in reversed(frees):
        op.detach()
        block.insert_op_after(op, second)
