"""Has loops look whether the launch shall go on, where nobody can tell from the sizes of arrays how long they run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod

from xdsl.context import Context
from xdsl.dialects import cf, func, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IndexType,
    ModuleOp,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import marks
from hologram.dialects.arith import constant_of, trip_count
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.shapes import is_memref, shape_of
from hologram.lowering.rewriting import traps
from hologram.lowering.rewriting.hidden_arguments import TRAP, add_hidden, callee_of
from hologram.support.splicing import move
from hologram.support.walking import operations
from hologram.transforms.analysis.size_bounds import SizeBounds

STRETCH = 1 << 16
"""The iterations of a loop without loops in it between two looks: some hundred microseconds at most, mostly."""
LONG = 1 << 26
"""Iterations of loops between constant bounds, within each other, that count as endless where arrays are smaller."""

Loop = scf.ForOp | scf.WhileOp | scf.ParallelOp


@dataclass(frozen=True)
class InsertStopChecksPass(ModulePass):
    """Lets a launch be stopped in loops whose count does not follow from the sizes of arrays.

    Each time such a loop goes round it asks `@hologram_continues` whether the first word of the trap record is still 0,
    and the function leaves, as at a trap, where it is not. A loop that counts and has no loop in it asks once in a
    stretch of 65,536 iterations, so that LLVM still makes vectors of it. Loops between sizes, and constants that fit
    them, are left alone. Functions with such loops, and those that call them, take the trap record, and get
    the mark `hologram.unbounded`, from which the runtime knows that it may have to wait long.

    Before::

        scf.while () : () -> () {
          ... scf.condition(%again)
        } do {
          scf.yield
        }

    After::

        scf.while () : () -> () {
          ... scf.condition(%again)
        } do {
          %go_on = func.call @hologram_continues(%trap) : (memref<8xi64>) -> i1
          cf.assert %go_on, "the launch was stopped"
          scf.yield
        }
    """

    name = "insert-stop-checks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [f for f in op.body.block.ops if isinstance(f, func.FuncOp) and f.body.blocks]
        sizes = SizeBounds(op)
        found = {f: _Finder(f, sizes).find() for f in functions}
        endless = {loop for loops in found.values() for loop in loops.all}
        if not endless:
            return
        add_hidden(op, lambda o: (TRAP,) if o in endless else ())
        for function, loops in found.items():
            for place in loops.all:
                _check(place, function, loops.leaves)
        traps.Sites.of(op).attach(op)
        _mark(functions, {f.sym_name.data for f, loops in found.items() if loops.all})
        if not any(isinstance(f, func.FuncOp) and f.sym_name.data == traps.CONTINUES for f in op.body.block.ops):
            declared = FunctionType.from_lists([traps.RECORD], [i1])
            op.body.block.add_op(func.FuncOp(traps.CONTINUES, declared, Region(), visibility="private"))


@dataclass
class _Finder:
    """The loops of a function that may run for long."""

    function: func.FuncOp
    sizes: SizeBounds
    all: list[Operation] = field(default_factory=list[Operation])
    """The loops, and of unstructured code the first operations of blocks that control comes back to."""
    leaves: set[Operation] = field(default_factory=set[Operation])
    """Those without loops and calls in them."""

    def find(self) -> _Finder:
        values: list[SSAValue] = [*self.function.body.blocks[0].args]
        values += [r for op in operations(self.function) for r in op.results]
        shapes = [shape_of(v.type) for v in values if is_memref(v.type)]
        places = [prod(shape) for shape in shapes if DYNAMIC_INDEX not in shape]
        # A product of matrices takes the power 1.5 of what they have.
        self.most = max(LONG, int(4 * max(places, default=1) ** 1.5))
        self._region(self.function.body, 1)
        return self

    def _region(self, region: Region, before: int) -> None:
        self.all += [block.first_op for block in _come_back_to(region) if block.first_op is not None]
        for block in region.blocks:
            for op in block.ops:
                if op.regions:
                    self._operation(op, before)

    def _operation(self, op: Operation, before: int) -> None:
        count = before
        if isinstance(op, Loop):
            if isinstance(op, scf.WhileOp):
                long = True
            else:
                bounds = _bounds(op)
                counts = [trip_count(*b) for b in bounds]
                count = before * prod(c for c in counts if c is not None)
                long = count > self.most or not all(self.sizes.bounds(*b) for b in bounds)
            if long:
                self.all.append(op)
                count = 1
                if not any(o is not op and _takes_time(o) for o in operations(op)):
                    self.leaves.add(op)
        for region in op.regions:
            self._region(region, count)


def _bounds(loop: scf.ForOp | scf.ParallelOp) -> list[tuple[SSAValue, SSAValue, SSAValue]]:
    if isinstance(loop, scf.ForOp):
        return [(loop.lb, loop.ub, loop.step)]
    return [*zip(loop.lowerBound, loop.upperBound, loop.step, strict=True)]


def _takes_time(op: Operation) -> bool:
    return isinstance(op, Loop | func.CallOp)


def _come_back_to(region: Region) -> Iterator[Block]:
    """The blocks that control may reach from themselves, one at least for each cycle."""
    if len(region.blocks) < 2:
        return
    found: set[Block] = set()
    open_blocks: set[Block] = set()
    done: set[Block] = set()
    path: list[tuple[Block, Iterator[Block]]] = []

    def enter(block: Block) -> None:
        open_blocks.add(block)
        path.append((block, iter(block.last_op.successors if block.last_op is not None else ())))

    enter(region.blocks[0])
    while path:
        block, successors = path[-1]
        following = next(successors, None)
        if following is None:
            open_blocks.discard(block)
            done.add(block)
            path.pop()
        elif following in open_blocks:
            found.add(following)
        elif following not in done:
            enter(following)
    yield from (block for block in region.blocks if block in found)


def _check(place: Operation, function: func.FuncOp, leaves: set[Operation]) -> None:
    """Adds the look to a loop, or before an operation."""
    if isinstance(place, scf.WhileOp):
        before = place.after_region.block.first_op
    elif isinstance(place, scf.ParallelOp):
        before = place.body.block.first_op
    elif not isinstance(place, scf.ForOp):
        before = place
    elif place in leaves and (step := constant_of(place.step)) is not None and place.step.type in (IndexType(), i64):
        before = _stretches(place, step * STRETCH)
    else:
        before = place.body.block.first_op
    assert before is not None
    record = traps.record_of(function)
    assert record is not None
    at = OpBuilder(before)
    go_on = at.op(func.CallOp(traps.CONTINUES, [record], [i1]))
    at.emit(cf.AssertOp(go_on, "the launch was stopped"))


def _stretches(loop: scf.ForOp, length: int) -> Operation:
    """Puts a loop over stretches around a loop; returns the operation that a stretch begins with."""
    kind = loop.step.type
    outside = OpBuilder(loop)
    span = outside.core.constant(length, kind)
    body = Block(arg_types=[kind, *(v.type for v in loop.iter_args)])
    inside = OpBuilder(body, loop)
    first, *carried = body.args
    end = inside.core.smin(inside.core.add(first, span), loop.ub)
    inner = scf.ForOp(first, end, loop.step, carried, Block(arg_types=[a.type for a in loop.body.block.args]))
    inner.attributes |= loop.attributes
    for old, new in zip(loop.body.block.args, inner.body.block.args, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    move([*loop.body.block.ops], inner.body.block)
    inside.emit(inner)
    inside.emit(scf.YieldOp(*inner.results))
    outer = outside.emit(scf.ForOp(loop.lb, loop.ub, span, list(loop.iter_args), body))
    for old, new in zip(loop.results, outer.results, strict=True):
        old.replace_all_uses_with(new)
    block = loop.parent_block()
    assert block is not None
    block.erase_op(loop)
    first_op = body.first_op
    assert first_op is not None
    return first_op


def _mark(functions: list[func.FuncOp], names: set[str]) -> None:
    """Marks the functions of these names and those that call them."""
    calls = {f.sym_name.data: {callee_of(o) for o in operations(f)} for f in functions}
    while more := {name for name, called in calls.items() if name not in names and called & names}:
        names |= more
    for function in functions:
        if function.sym_name.data in names:
            function.attributes[marks.UNBOUNDED] = UnitAttr()
