"""Moves operations between blocks: what one block holds goes into another, in place of a call, a loop or a region."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from xdsl.ir import Block, Operation, SSAValue

OpT = TypeVar("OpT", bound="Operation")


def append(into: Block, op: OpT, source: Operation) -> OpT:
    """Puts an operation at the end of a block, with the location of `source`, and returns it."""
    op.location = source.location
    into.add_op(op)
    return op


def move(ops: Iterable[Operation], into: Block, before: Operation | None = None) -> None:
    """Moves operations to the end of a block, or before one of its operations."""
    moved = list(ops)
    for op in moved:
        op.detach()
    if before is None:
        into.add_ops(moved)
    else:
        into.insert_ops_before(moved, before)


def splice(source: Block, values: Sequence[SSAValue], into: Block, before: Operation | None = None) -> list[SSAValue]:
    """Moves the operations of a block, whose arguments become `values`, and gives what its terminator hands on.

    The terminator is erased; the block is left empty.
    """
    for argument, value in zip(source.args, values, strict=True):
        argument.replace_all_uses_with(value)
    last = source.last_op
    assert last is not None
    results = list(last.operands)
    source.erase_op(last)
    move(source.ops, into, before)
    return results


def replace_results(op: Operation, values: Sequence[SSAValue]) -> None:
    """Puts values in the place of an operation's results, and erases it."""
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.detach()
    op.erase()
