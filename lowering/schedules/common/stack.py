"""Keeps what schedules put on the stack within what a target has of it."""

from __future__ import annotations

from math import prod

from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.traits import IsTerminator

from hologram.dialects import marks
from hologram.dialects.layouts import byte_size
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.shapes import is_memref
from hologram.support.walking import operations


def limit_stack(module: ModuleOp, most: int) -> None:
    """Has the largest arrays of each function come from the heap until the others take no more than `most` bytes: LLVM
    gives all arrays of a function places of their own, those of operations that follow each other too."""
    for function in module.body.block.ops:
        sizes = {o: _bytes(o) for o in operations(function) if isinstance(o, memref.AllocaOp) and not o.dynamic_sizes}
        left = sum(sizes.values())
        for array in sorted((a for a in sizes if _stays(a)), key=lambda a: -sizes[a]):
            if left <= most:
                break
            _move(array)
            left -= sizes[array]


def _bytes(array: memref.AllocaOp) -> int:
    return (byte_size(array.memref.type.element_type) or 1) * prod(array.memref.type.get_shape())


def _stays(array: memref.AllocaOp) -> bool:
    """Return whether nothing outlives the block that an array is made in, for it is loaded and stored alone."""
    users = [use.operation for use in array.memref.uses]
    return not any(user.has_trait(IsTerminator) or any(is_memref(r.type) for r in user.results) for user in users)


def _move(array: memref.AllocaOp) -> None:
    block = array.parent_block()
    last: Operation | None = block and block.last_op
    assert last is not None
    type = array.memref.type
    new = OpBuilder(array).emit(memref.AllocOp([], [], type, array.alignment))
    new.attributes[marks.OWNER] = StringAttr("an array that the stack has no room for")
    new.memref.name_hint = array.memref.name_hint
    array.memref.replace_all_uses_with(new.memref)
    OpBuilder(last, array).emit(memref.DeallocOp.get(new.memref))
    array.detach()
    array.erase()
