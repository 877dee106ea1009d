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
    # The first operations of what is left of blocks, the next one last: regions may be a thousand deep.
    pending: list[Operation] = []
    if hasattr(root, "regions"):
        ops.append(cast("Operation", root))
        _push(cast("Operation", root), pending)
    else:
        blocks = cast("Region", root).blocks if hasattr(root, "blocks") else [cast("Block", root)]
        pending += [block.first_op for block in blocks if block.first_op is not None][::-1]
    while pending:
        op: Operation | None = pending.pop()
        while op is not None:
            ops.append(op)
            following = op.next_op
            if op.regions:
                if following is not None:
                    pending.append(following)
                _push(op, pending)
                break
            op = following
    return ops


def _push(op: Operation, pending: list[Operation]) -> None:
    start = len(pending)
    for region in op.regions:
        block = region.first_block
        while block is not None:
            if (first := block.first_op) is not None:
                pending.append(first)
            block = block.next_block
    if len(pending) - start > 1:
        pending[start:] = reversed(pending[start:])


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


def symbols_around(op: Operation, *kinds: str) -> list[str]:
    """The symbols that the program of an operation defines, by operations of these names or, without any, by all."""
    found = [o for o in operations(op.get_toplevel_object()) if not kinds or o.name in kinds]
    return [name for o in found if (name := symbol_of(o)) is not None]
