"""Frees the buffers of a function that leaves early."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import cf, func, memref, scf
from xdsl.dialects.builtin import ModuleOp, UnitAttr, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import marks
from hologram.dialects.op_builder import OpBuilder
from hologram.errors.limits import check_operations
from hologram.lowering.rewriting import traps
from hologram.lowering.rewriting.traps import NO_MEMORY
from hologram.support.walking import operations


@dataclass(frozen=True)
class ReleaseOnTrapPass(ModulePass):
    """Frees what a function has allocated and would free later, before it leaves because something trapped.

    It leaves at a failing `cf.assert`, and behind a call of a function that takes the trap record, if that trapped. A
    buffer is its own to free where the block that has its `memref.alloc` frees or returns it.

    Before::

        %t = memref.alloc(%n) : memref<?xf32>
        cf.assert %ok, "message"
        memref.dealloc %t : memref<?xf32>

    After::

        %t = memref.alloc(%n) : memref<?xf32>
        scf.if %ok {
        } else {
          memref.dealloc %t : memref<?xf32>
        }
        cf.assert %ok, "message"
        memref.dealloc %t : memref<?xf32>
    """

    name = "release-on-trap"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.body.block.ops:
            if isinstance(function, func.FuncOp) and (lives := _lives(function)):
                record = traps.record_of(function)
                order = {o: number for number, o in enumerate(operations(function))}
                for leaving, held in _all_held(function, [o for o in order if _leaves(o, record)], lives, order):
                    _release(leaving, held, record)


def _lives(function: func.FuncOp) -> dict[Block, list[tuple[memref.AllocOp, Operation]]]:
    """Return, by block, the buffers that it owns, each with the operation that ends that."""
    lives: dict[Block, list[tuple[memref.AllocOp, Operation]]] = {}
    for op in operations(function):
        block = op.parent_block()
        if not isinstance(op, memref.AllocOp) or block is None:
            continue
        # What is freed further in, too, is freed where the function leaves anyway.
        users = [use.operation for use in op.memref.uses]
        ends = [u for u in users if isinstance(u, memref.DeallocOp | func.ReturnOp) and u.parent_block() is block]
        if len(ends) == 1:
            lives.setdefault(block, []).append((op, ends[0]))
    return lives


def _leaves(op: Operation, record: SSAValue | None) -> bool:
    if isinstance(op, func.CallOp):
        return record is not None and record in op.operands and op.callee.string_value() not in traps.FUNCTIONS
    return isinstance(op, cf.AssertOp)


def _all_held(
    function: func.FuncOp, leaving: list[Operation], lives: dict[Block, list[tuple[memref.AllocOp, Operation]]],
    order: dict[Operation, int],
) -> list[tuple[Operation, list[SSAValue]]]:  # fmt: skip
    """Where the function leaves with buffers, and these: many times as many as it has, so they are counted first."""
    found: list[tuple[Operation, list[SSAValue]]] = []
    count = 0
    for op in leaving:
        if held := list(_held(op, lives, order)):
            found.append((op, held))
            count += len(held)
            check_operations(count, function, "the program, with what is freed wherever it may trap,")
    return found


def _held(
    op: Operation, lives: dict[Block, list[tuple[memref.AllocOp, Operation]]], order: dict[Operation, int]
) -> Iterator[SSAValue]:
    """The buffers that live where `op` stands; `order` numbers the operations of a block as they follow each other."""
    place: Operation | None = op
    while place is not None and (block := place.parent_block()) is not None:
        for alloc, end in lives.get(block, ()):
            if order[alloc] < order[place] < order[end] and not _is_check_of(op, alloc):
                yield alloc.memref
        place = place.parent_op()


def _is_check_of(op: Operation, alloc: memref.AllocOp) -> bool:
    """Return whether an assertion is that of check-allocations, which has nothing to free where it fails."""
    after: Operation | None = alloc
    while after is not None and not isinstance(after, cf.AssertOp):
        after = after.next_op
    return after is op and str(op.properties["msg"]).startswith(f'"{NO_MEMORY}')


def _release(leaving: Operation, held: list[SSAValue], record: SSAValue | None) -> None:
    """Frees the buffers where the function is about to leave."""
    block = leaving.parent_block()
    assert block is not None
    if isinstance(leaving, cf.AssertOp):
        block.insert_op_before(_free_unless(leaving.arg, held, leaving), leaving)
        return
    assert record is not None
    leaving.attributes[marks.GOES_ON] = UnitAttr()
    following = leaving.next_op
    assert following is not None
    at = OpBuilder(following, leaving)
    first, zero = at.index(0), at.core.constant(0, i64)
    # The word is below 0 while it asks the launch whether to go on.
    fine = at.core.compare("sle", at.load(record, first), zero)
    at.emit(_free_unless(fine, held, leaving))
    at.emit(cf.AssertOp(fine, "what was called"))


def _free_unless(condition: SSAValue, held: list[SSAValue], leaving: Operation) -> scf.IfOp:
    frees = [memref.DeallocOp.get(buffer) for buffer in held]
    if_op = scf.IfOp(condition, [], Region(Block([scf.YieldOp()])), Region(Block([*frees, scf.YieldOp()])))
    for op in operations(if_op):
        op.location = leaving.location
    return if_op
