"""Builds `gpu.launch` operations around code of a host function, and makes parallel loops sequential."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, i8
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from hologram.dialects import gpu
from hologram.dialects.arith import constant_of
from hologram.dialects.layouts import byte_size
from hologram.dialects.op_builder import INDEX, OpBuilder
from hologram.dialects.verbs import Index
from hologram.errors import PassError
from hologram.support.splicing import move, replace_results, splice
from hologram.support.walking import is_within, operations

LINE = 64
"""The bytes that what a thread allocates is rounded up to."""


@dataclass(frozen=True)
class Host:
    """The sizes of launches."""

    block_size: int
    most_blocks: int


def known(value: SSAValue) -> Index:
    """A value, or the number that it is known to be."""
    number = constant_of(value)
    return value if number is None else number


def empty_launch(at: OpBuilder, blocks: Index, threads: Index) -> gpu.LaunchOp:
    """A launch of a line of blocks of a line of threads, with an empty body."""
    one = at.index(1)
    body = Block(arg_types=[INDEX] * 12)
    OpBuilder(body, at.source).emit(gpu.TerminatorOp())
    grid, size = at.index(blocks), at.index(threads)
    return at.emit(gpu.LaunchOp(Region(body), [grid, one, one], [size, one, one]))


def launch_one(group: Sequence[Operation]) -> gpu.LaunchOp:
    """Moves operations into a launch of one thread, which stands where the last of them stood."""
    at = OpBuilder(group[-1], group[0])
    launch = empty_launch(at, 1, 1)
    move(group, launch.body.block, launch.body.block.last_op)
    return launch


def launch_loop(host: Host, loop: scf.ParallelOp) -> gpu.LaunchOp:
    """A launch in place of a parallel loop without reductions: a thread takes an iteration, and those a grid ahead."""
    at = OpBuilder(loop)
    bounds = [tuple(map(known, b)) for b in zip(loop.lowerBound, loop.upperBound, loop.step, strict=True)]
    counts = [_count(at, *b) for b in bounds]
    total = at.product(counts)
    size = host.block_size
    if isinstance(total, int):
        size = min(size, 1 << max(total - 1, 0).bit_length())
    blocks = at.smax(at.min(at.ceildiv(total, size), host.most_blocks), 1)
    threads = at.mul(blocks, size)
    launch = empty_launch(at, blocks, size)
    body = launch.body.block
    last = body.last_op
    assert last is not None
    inner = OpBuilder(last, loop)
    block_id, thread_id = body.args[0], body.args[3]
    first = inner.add(inner.mul(block_id, size), thread_id)
    with inner.loop(first, total, threads) as (iteration, number):
        _take_body(loop, iteration, number, bounds, counts)
    for op in operations(launch):
        if isinstance(op, scf.ParallelOp):
            sequential(op)
    for op in operations(launch):
        if isinstance(op, memref.AllocOp):
            _allocate_outside(op, launch, threads, first)
    outside = loop.parent_block()
    assert outside is not None
    outside.erase_op(loop)
    return launch


def _count(at: OpBuilder, lower: Index, upper: Index, step: Index) -> Index:
    length = at.sub(upper, lower)
    sized = isinstance(upper, OpResult) and isinstance(upper.op, memref.DimOp)
    if not (lower == 0 and sized):
        length = at.smax(length, 0)
    return at.ceildiv(length, step)


def _take_body(
    loop: scf.ParallelOp, at: OpBuilder, left: Index, bounds: Sequence[tuple[Index, ...]], counts: Sequence[Index]
) -> None:
    """Moves the body of a loop to the end of the block that `at` builds: the iteration of the linear number `left`."""
    indices: list[Index] = []
    for number in range(len(counts) - 1, -1, -1):
        lower, _, step = bounds[number]
        place = left if number == 0 else at.rem(left, counts[number])
        left = left if number == 0 else at.div(left, counts[number])
        indices.append(at.add(lower, at.mul(place, step)))
    old = loop.body.block
    values = [at.index(index) for index in reversed(indices)]
    for argument, value in zip(old.args, values, strict=True):
        value.name_hint = value.name_hint or argument.name_hint
    assert isinstance(at.at, Block)
    splice(old, values, at.at)


# Loops one after the other


def sequential(loop: scf.ParallelOp) -> scf.ForOp:
    """Makes a parallel loop a nest of counted loops, which carry what its reductions combine; gives the outermost."""
    carried: Sequence[SSAValue] = list(loop.initVals)
    block: Block | None = None
    nest: list[scf.ForOp] = []
    for lower, upper, step in zip(loop.lowerBound, loop.upperBound, loop.step, strict=True):
        inner = Block(arg_types=[INDEX, *(v.type for v in carried)])
        for_op = scf.ForOp(lower, upper, step, carried, inner)
        (OpBuilder(loop) if block is None else OpBuilder(block, loop)).emit(for_op)
        nest.append(for_op)
        block, carried = inner, inner.args[1:]
    assert block is not None
    old = loop.body.block
    counters = [for_op.body.block.args[0] for for_op in nest]
    for argument, counter in zip(old.args, counters, strict=True):
        counter.name_hint = argument.name_hint
    end = old.last_op
    assert end is not None
    regions = [end.detach_region(region) for region in list(end.regions)]
    values = splice(old, counters, block)
    results = [splice(r.block, (a, v), block)[0] for r, a, v in zip(regions, carried, values, strict=True)]
    OpBuilder(block, loop).emit(scf.YieldOp(*results))
    for outer, inner_loop in zip(reversed(nest[:-1]), reversed(nest[1:]), strict=True):
        OpBuilder(outer.body.block, loop).emit(scf.YieldOp(*inner_loop.results))
    replace_results(loop, nest[0].results)
    return nest[0]


# Memory of a thread


def _allocate_outside(alloc: memref.AllocOp, launch: gpu.LaunchOp, threads: Index, number: Index) -> None:
    """Allocates before the launch what each thread would allocate, and gives the thread its piece."""
    type = alloc.memref.type
    at = OpBuilder(launch, alloc)
    outside: dict[SSAValue, SSAValue] = {}
    sizes = iter([_bring_out(v, launch, at, outside, alloc) for v in alloc.dynamic_sizes])
    piece: Index = byte_size(type.element_type) or 1
    for size in type.get_shape():
        piece = at.mul(piece, next(sizes) if size == DYNAMIC_INDEX else size)
    piece = at.mul(at.ceildiv(piece, LINE), LINE)
    whole = memref.AllocOp.get(i8, LINE, [DYNAMIC_INDEX], [at.index(at.mul(piece, threads))])
    whole.attributes |= alloc.attributes
    at.emit(whole)
    inside = OpBuilder(alloc)
    start = inside.index(inside.mul(number, piece))
    operands = [whole.memref, start, *alloc.dynamic_sizes]
    view = inside.op(memref.ViewOp.create(operands=operands, result_types=[type]))
    for use in list(alloc.memref.uses):
        if isinstance(use.operation, memref.DeallocOp):
            block = use.operation.parent_block()
            assert block is not None
            block.erase_op(use.operation)
    alloc.memref.replace_all_uses_with(view)
    parent, block = launch.parent_block(), alloc.parent_block()
    assert parent is not None
    assert block is not None
    block.erase_op(alloc)
    free = memref.DeallocOp.get(whole.memref)
    free.location = launch.location
    parent.insert_op_after(free, launch)


def _bring_out(
    value: SSAValue, launch: gpu.LaunchOp, at: OpBuilder, hoisted: dict[SSAValue, SSAValue], alloc: memref.AllocOp
) -> SSAValue:
    """A value that is the same for all threads, computed before the launch."""
    if value in hoisted or not is_within(value, launch):
        return hoisted.get(value, value)
    pure = isinstance(value, OpResult) and value.op.dialect_name() == "arith"
    if not pure and not (isinstance(value, OpResult) and isinstance(value.op, memref.DimOp)):
        raise PassError(
            alloc,
            "gpu-allocation-size",
            "a thread allocates memory here of a size that is not known before the launch",
            hint="allocate it outside of the parallel loop, with a size that all iterations share",
        )
    assert isinstance(value, OpResult)
    new = value.op.clone_without_regions()
    new.operands = [_bring_out(v, launch, at, hoisted, alloc) for v in value.op.operands]
    hoisted[value] = at.emit(new).results[value.index]
    return hoisted[value]


def allocates_by_itself(loop: scf.ParallelOp) -> bool:
    """Return whether iterations allocate memory whose size they find out themselves."""
    allocs = [o for o in operations(loop) if isinstance(o, memref.AllocOp)]
    return any(not _is_shared(size, loop) for alloc in allocs for size in alloc.dynamic_sizes)


def _is_shared(value: SSAValue, loop: scf.ParallelOp) -> bool:
    """Return whether a value is the same for all iterations, and can be computed before the loop."""
    if not is_within(value, loop):
        return True
    if not isinstance(value, OpResult) or not (
        value.op.dialect_name() == "arith" or isinstance(value.op, memref.DimOp)
    ):
        return False
    return all(_is_shared(v, loop) for v in value.op.operands)
