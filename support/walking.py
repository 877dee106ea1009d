"""All operations of a piece of IR, found several times faster than by `Operation.walk`; what stands around them; and
what they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from xdsl.ir import Block, Operation, Region, SSAValue

OpT = TypeVar("OpT", bound="Operation")


def operations(root: Operation | Region | Block) -> list[Operation]:
    """What a piece of IR holds and the piece, if it is an operation, each before what it holds itself, as they are now.

    `walk` hands each operation through a generator for every region, block and operation around it.
    """
    ops: list[Operation] = []
    if hasattr(root, "blocks"):
        _find_in_region(cast("Region", root), ops)
    elif hasattr(root, "regions"):
        ops.append(cast("Operation", root))
        for region in cast("Operation", root).regions:
            _find_in_region(region, ops)
    else:
        _find_in_block(cast("Block", root), ops)
    return ops


def _find_in_region(region: Region, ops: list[Operation]) -> None:
    block = region.first_block
    while block is not None:
        _find_in_block(block, ops)
        block = block.next_block


def _find_in_block(block: Block, ops: list[Operation]) -> None:
    op = block.first_op
    while op is not None:
        ops.append(op)
        for region in op.regions:
            _find_in_region(region, ops)
        op = op.next_op


def enclosing(op: Operation, *kinds: type[OpT]) -> OpT | None:
    """The innermost operation of these classes around an operation."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, kinds):
        parent = parent.parent_op()
    return parent


def is_within(value: SSAValue, op: Operation) -> bool:
    """Return whether a value is defined in the regions of an operation."""
    parent = value.owner.parent_op()
    while parent is not None and parent is not op:
        parent = parent.parent_op()
    return parent is not None


def symbol_of(op: Operation) -> str | None:
    """The symbol that an operation defines."""
    name = getattr(op.get_attr_or_prop("sym_name"), "data", None)
    return name if isinstance(name, str) else None
