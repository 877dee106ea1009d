"""Builds `gpu.launch` operations around code of a host function, and makes parallel loops sequential."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, i8
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from hologram.dialects import gpu
from hologram.dialects.arith import constant_of
from hologram.dialects.layouts import byte_size
from hologram.dialects.verbs import Arith, Index, IndexArithmetic, Verb
from hologram.errors import PassError
from hologram.support.splicing import move, replace_results, splice
from hologram.support.walking import is_within, operations

INDEX = IndexType()
LINE = 64
"""The bytes that what a thread allocates is rounded up to."""

OpT = TypeVar("OpT", bound=Operation)


class Indices(IndexArithmetic):
    """Emits index arithmetic before an operation, or at the end of a block."""

    def __init__(self, at: Operation | Block, source: Operation):
        self.at = at
        self.source = source
        self.core = Arith(self.add_op)

    def add_op(self, op: OpT) -> OpT:
        """Emits an operation."""
        op.location = self.source.location
        if isinstance(self.at, Block):
            self.at.add_op(op)
        else:
            block = self.at.parent_block()
            assert block is not None
            block.insert_op_before(op, self.at)
        return op

    def value(self, index: Index) -> SSAValue:
        """The value of an index."""
        return self.add_op(arith.ConstantOp(IntegerAttr(index, INDEX))).result if isinstance(index, int) else index

    def emitted(self, verb: Verb, a: Index, b: Index) -> SSAValue:
        return self.core.binary(verb, self.value(a), self.value(b))


@dataclass(frozen=True)
class Host:
    """How large launches are made."""

    block_size: int
    most_blocks: int


def known(value: SSAValue) -> Index:
    """A value, or the number that it is known to be."""
    number = constant_of(value)
    return value if number is None else number


def empty_launch(at: Indices, blocks: Index, threads: Index) -> gpu.LaunchOp:
    """A launch of a line of blocks of a line of threads, with an empty body."""
    one = at.value(1)
    body = Block(arg_types=[INDEX] * 12)
    body.add_op(end := gpu.TerminatorOp())
    end.location = at.source.location
    grid, size = at.value(blocks), at.value(threads)
    return at.add_op(gpu.LaunchOp(Region(body), [grid, one, one], [size, one, one]))


def launch_one(group: Sequence[Operation]) -> gpu.LaunchOp:
    """Moves operations into a launch of one thread, which stands where the last of them stood."""
    at = Indices(group[-1], group[0])
    launch = empty_launch(at, 1, 1)
    move(group, launch.body.block, launch.body.block.last_op)
    return launch


def launch_loop(host: Host, loop: scf.ParallelOp) -> gpu.LaunchOp:
    """A launch in place of a parallel loop without reductions: a thread takes an iteration, and those a grid ahead."""
    at = Indices(loop, loop)
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
    inner = Indices(last, loop)
    block_id, thread_id = body.args[0], body.args[3]
    first = inner.add(inner.mul(block_id, size), thread_id)
    ends = [inner.value(v) for v in (first, total, threads)]
    iteration = Block(arg_types=[INDEX])
    inner.add_op(scf.ForOp(ends[0], ends[1], ends[2], [], iteration))
    _take_body(loop, iteration, bounds, counts)
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


def _count(at: Indices, lower: Index, upper: Index, step: Index) -> Index:
    length = at.sub(upper, lower)
    sized = isinstance(upper, OpResult) and isinstance(upper.op, memref.DimOp)
    if not (lower == 0 and sized):
        length = at.smax(length, 0)
    return at.ceildiv(length, step)


def _take_body(loop: scf.ParallelOp, into: Block, bounds: Sequence[tuple[Index, ...]], counts: Sequence[Index]) -> None:
    """Moves the body of a loop into that of a loop over the linear number of iterations."""
    at = Indices(into, loop)
    left: Index = into.args[0]
    indices: list[Index] = []
    for number in range(len(counts) - 1, -1, -1):
        lower, _, step = bounds[number]
        place = left if number == 0 else at.rem(left, counts[number])
        left = left if number == 0 else at.div(left, counts[number])
        indices.append(at.add(lower, at.mul(place, step)))
    old = loop.body.block
    values = [at.value(index) for index in reversed(indices)]
    for argument, value in zip(old.args, values, strict=True):
        value.name_hint = value.name_hint or argument.name_hint
    splice(old, values, into)
    at.add_op(scf.YieldOp())


# Loops one after the other


def sequential(loop: scf.ParallelOp) -> scf.ForOp:
    """Makes a parallel loop a nest of counted loops, which carry what its reductions combine; gives the outermost."""
    at = Indices(loop, loop)
    carried: Sequence[SSAValue] = list(loop.initVals)
    block: Block | None = None
    nest: list[scf.ForOp] = []
    for lower, upper, step in zip(loop.lowerBound, loop.upperBound, loop.step, strict=True):
        inner = Block(arg_types=[INDEX, *(v.type for v in carried)])
        made = scf.ForOp(lower, upper, step, carried, inner)
        (at if block is None else Indices(block, loop)).add_op(made)
        nest.append(made)
        block, carried = inner, inner.args[1:]
    assert block is not None
    old = loop.body.block
    counters = [made.body.block.args[0] for made in nest]
    for argument, counter in zip(old.args, counters, strict=True):
        counter.name_hint = argument.name_hint
    end = old.last_op
    assert end is not None
    regions = [end.detach_region(region) for region in list(end.regions)]
    values = splice(old, counters, block)
    results = [splice(r.block, (a, v), block)[0] for r, a, v in zip(regions, carried, values, strict=True)]
    Indices(block, loop).add_op(scf.YieldOp(*results))
    for outer, inner_loop in zip(reversed(nest[:-1]), reversed(nest[1:]), strict=True):
        Indices(outer.body.block, loop).add_op(scf.YieldOp(*inner_loop.results))
    replace_results(loop, nest[0].results)
    return nest[0]


# Memory of a thread


def _allocate_outside(alloc: memref.AllocOp, launch: gpu.LaunchOp, threads: Index, number: Index) -> None:
    """Allocates before the launch what each thread would allocate, and gives the thread its piece."""
    type = alloc.memref.type
    at = Indices(launch, alloc)
    outside: dict[SSAValue, SSAValue] = {}
    sizes = iter([_bring_out(v, launch, at, outside, alloc) for v in alloc.dynamic_sizes])
    piece: Index = byte_size(type.element_type) or 1
    for size in type.get_shape():
        piece = at.mul(piece, next(sizes) if size == DYNAMIC_INDEX else size)
    piece = at.mul(at.ceildiv(piece, LINE), LINE)
    whole = memref.AllocOp.get(i8, LINE, [DYNAMIC_INDEX], [at.value(at.mul(piece, threads))])
    whole.attributes |= alloc.attributes
    at.add_op(whole)
    inside = Indices(alloc, alloc)
    start = inside.value(inside.mul(number, piece))
    view = inside.add_op(
        memref.ViewOp.create(operands=[whole.memref, start, *alloc.dynamic_sizes], result_types=[type])
    )
    for use in list(alloc.memref.uses):
        if isinstance(use.operation, memref.DeallocOp):
            block = use.operation.parent_block()
            assert block is not None
            block.erase_op(use.operation)
    alloc.memref.replace_all_uses_with(view.results[0])
    parent, block = launch.parent_block(), alloc.parent_block()
    assert parent is not None
    assert block is not None
    block.erase_op(alloc)
    free = memref.DeallocOp.get(whole.memref)
    free.location = launch.location
    parent.insert_op_after(free, launch)


def _bring_out(
    value: SSAValue, launch: gpu.LaunchOp, at: Indices, made: dict[SSAValue, SSAValue], alloc: memref.AllocOp
) -> SSAValue:
    """A value that is the same for all threads, computed before the launch."""
    if value in made or not is_within(value, launch):
        return made.get(value, value)
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
    new.operands = [_bring_out(v, launch, at, made, alloc) for v in value.op.operands]
    made[value] = at.add_op(new).results[value.index]
    return made[value]


def allocates_by_itself(loop: scf.ParallelOp) -> bool:
    """Whether iterations allocate memory whose size they find out themselves."""
    allocs = [o for o in operations(loop) if isinstance(o, memref.AllocOp)]
    return any(not _is_shared(size, loop) for alloc in allocs for size in alloc.dynamic_sizes)


def _is_shared(value: SSAValue, loop: scf.ParallelOp) -> bool:
    """Whether a value is the same for all iterations, and can be computed before the loop."""
    if not is_within(value, loop):
        return True
    if not isinstance(value, OpResult) or not (
        value.op.dialect_name() == "arith" or isinstance(value.op, memref.DimOp)
    ):
        return False
    return all(_is_shared(v, loop) for v in value.op.operands)
