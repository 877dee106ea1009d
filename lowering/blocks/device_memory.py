"""Memory between the launches of a function: cells for values that one computes and another needs, and arrays that a
host would have on its stack."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects import arith, cf, func, memref
from xdsl.dialects.builtin import IndexType, MemRefType, NoneAttr, VectorType, i32, i64
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from hologram.dialects import gpu, vector
from hologram.dialects.arith import constant_of
from hologram.dialects.op_builder import OpBuilder
from hologram.errors import PassError
from hologram.lowering.processor.outline_parallel_loops import VIEWS
from hologram.lowering.rewriting import traps
from hologram.support.splicing import move
from hologram.support.walking import enclosing, operations


def place_arrays(function: func.FuncOp) -> None:
    """Gives memory on the device to what launches of a function share."""
    launches = [o for o in operations(function) if isinstance(o, gpu.LaunchOp)]
    for launch in launches:
        _spill(launch)
    for op in operations(function):
        if isinstance(op, memref.AllocaOp) and launch_of(op) is None:
            _place(op)


def launch_of(op: Operation) -> gpu.LaunchOp | None:
    """The launch that an operation is within."""
    return enclosing(op, gpu.LaunchOp)


# Values


def _spill(launch: gpu.LaunchOp) -> None:
    """Has a launch leave in memory what is used behind it."""
    bridge = _Bridge(launch)
    for op in list(launch.body.block.ops):
        for result in op.results:
            users = {u.operation for u in result.uses if launch_of(u.operation) is not launch}
            others: dict[gpu.LaunchOp, list[Operation]] = {}
            for user in users:
                if (other := launch_of(user)) is None:
                    raise PassError(
                        user,
                        "gpu-host-needs-memory",
                        f"the host needs a value for '{user.name}' here that is computed from device memory",
                        hint="compute it from the program's arguments and sizes, or leave it in memory",
                    )
                others.setdefault(other, []).append(user)
            if others:
                for other, ops in others.items():
                    if other not in bridge.followers:
                        bridge.follow(other)
                    replacement = bridge.bring(result, other)
                    for user in ops:
                        user.operands = [replacement if v is result else v for v in user.operands]


@dataclass
class _Bridge:
    """Brings values from one launch to others."""

    launch: gpu.LaunchOp
    cells: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    followers: list[gpu.LaunchOp] = field(default_factory=list[gpu.LaunchOp])
    """The launches that use its values."""
    ended: SSAValue | None = None
    """The cell that says whether a launch that may trap came to its end."""

    def follow(self, other: gpu.LaunchOp) -> None:
        """Has the threads of another launch end at once where this one trapped: its assertions hold for its values."""
        self.followers.append(other)
        if not _may_trap(self.launch):
            return
        block, first = self.launch.body.block, other.body.block.first_op
        assert block.first_op is not None
        assert block.last_op is not None
        assert first is not None
        if self.ended is None:
            self.ended = self._cell(i32, 1)
            for at, word in ((block.first_op, 0), (block.last_op, 1)):
                here = OpBuilder(at, self.launch)
                here.store(here.core.constant(word, i32), self.ended, here.index(0))
        at = OpBuilder(first, self.launch)
        at.emit(
            cf.AssertOp(at.core.compare("eq", at.load(self.ended, 0), at.core.constant(1, i32)), "what came before")
        )

    def bring(self, value: SSAValue, other: gpu.LaunchOp) -> SSAValue:
        """The value at the start of another launch."""
        first = other.body.block.first_op
        assert first is not None
        return self._bring(value, OpBuilder(first, self.launch))

    def _bring(self, value: SSAValue, at: OpBuilder) -> SSAValue:
        if not isinstance(value, OpResult) or launch_of(value.op) is not self.launch:
            return value
        if isinstance(value.op, arith.ConstantOp) or value.op.name in VIEWS:
            new = value.op.clone_without_regions()
            new.operands = [self._bring(v, at) for v in value.op.operands]
            return at.emit(new).results[0]
        if isinstance(value.type, MemRefType):
            raise PassError(
                value.op,
                "gpu-buffer-value",
                f"'{value.op.name}' chooses a buffer here that another launch uses",
                hint="choose between values, not between buffers",
            )
        if value not in self.cells:
            self.cells[value] = self._store(value)
        return _load(self.cells[value], value.type, at)

    def _store(self, value: OpResult) -> SSAValue:
        element, count = value.type, 1
        if isinstance(element, VectorType):
            shape = cast("VectorType[Attribute]", element).get_shape()
            element, count = cast("VectorType[Attribute]", element).element_type, shape[0] if shape else 1
        cell = self._cell(i64 if isinstance(element, IndexType) else element, count)
        inner, following = value.op.parent_block(), value.op.next_op
        assert inner is not None
        at = OpBuilder(inner if following is None else following, value.op)
        zero = at.index(0)
        if isinstance(value.type, VectorType):
            at.emit(vector.StoreOp(value, cell, [zero]))
            return cell
        stored = at.core.index_cast(value, i64) if isinstance(value.type, IndexType) else value
        at.store(stored, cell, zero)
        return cell

    def _cell(self, element: Attribute, count: int) -> SSAValue:
        """Memory of the launch's block for some elements."""
        alloc = OpBuilder(self.launch).emit(memref.AllocOp.get(element, 64, [count]))
        block = self.launch.parent_block()
        assert block is not None
        _free_at_end(block, alloc)
        return alloc.memref


def _may_trap(launch: gpu.LaunchOp) -> bool:
    """Return whether a thread of a launch may end before the launch does."""
    return any(
        isinstance(op, cf.AssertOp) or (isinstance(op, func.CallOp) and op.callee.string_value() not in traps.FUNCTIONS)
        for op in operations(launch)
    )


def _load(cell: SSAValue, type: Attribute, at: OpBuilder) -> SSAValue:
    if isinstance(type, VectorType):
        return at.op(vector.LoadOp(cell, [at.index(0)], cast("VectorType[Attribute]", type)))
    loaded = at.load(cell, 0)
    return at.core.index_cast(loaded, type) if isinstance(type, IndexType) else loaded


def _free_at_end(block: Block, alloc: memref.AllocOp) -> None:
    last = block.last_op
    assert last is not None
    OpBuilder(last, alloc).emit(memref.DeallocOp.get(alloc.memref))


# Arrays


def _place(op: memref.AllocaOp) -> None:
    """An array of the host: a thread's own where only one launch of one thread uses it, else memory of the device."""
    views: list[Operation] = []
    users = _users(op, views)
    launch = next(iter(users), None)
    if len(users) == 1 and isinstance(launch, gpu.LaunchOp) and _is_single(launch):
        first = launch.body.block.first_op
        assert first is not None
        return move((op, *views), launch.body.block, first)
    type = op.memref.type
    block = op.parent_block()
    assert block is not None
    alloc = memref.AllocOp.get(type.element_type, 64, type.get_shape(), op.dynamic_sizes, layout=NoneAttr())
    alloc.memref.name_hint = op.memref.name_hint
    OpBuilder(op).emit(alloc)
    op.memref.replace_all_uses_with(alloc.memref)
    block.erase_op(op)
    _free_at_end(block, alloc)


def _users(op: Operation, views: list[Operation]) -> set[Operation]:
    """The launches that use an array, and what of the host does, but for views of it."""
    users: set[Operation] = set()
    for use in op.results[0].uses:
        user = use.operation
        if (launch := launch_of(user)) is not None:
            users.add(launch)
        elif user.name in VIEWS and user not in views:
            views.append(user)
            users |= _users(user, views)
        elif user.name not in VIEWS:
            users.add(user)
    return users


def _is_single(launch: gpu.LaunchOp) -> bool:
    return all(constant_of(v) == 1 for v in (*gpu.grid_of(launch), *gpu.block_of(launch)))
