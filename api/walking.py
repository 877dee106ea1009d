"""All operations of a piece of IR, found several times faster than by `Operation.walk`; and what they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import Operation


def operations(root: Operation) -> list[Operation]:
    """`root` and what it holds, each before what it holds itself, as they are now.

    `walk` hands each operation through a generator for every region, block and operation around it.
    """
    found: list[Operation] = []
    _find(root, found)
    return found


def _find(op: Operation, found: list[Operation]) -> None:
    found.append(op)
    for region in op.regions:
        block = region.first_block
        while block is not None:
            inner = block.first_op
            while inner is not None:
                if inner.regions:
                    _find(inner, found)
                else:
                    found.append(inner)
                inner = inner.next_op
            block = block.next_block


def symbol_of(op: Operation) -> str | None:
    """The symbol that an operation defines."""
    name = getattr(op.get_attr_or_prop("sym_name"), "data", None)
    return name if isinstance(name, str) else None
