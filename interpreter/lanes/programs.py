"""Lane level: the lanes of some blocks in lockstep, as arrays over lanes with a mask of those that are active."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

import numpy as np
from xdsl.dialects import memref
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.dialects.atlas.arrays.general import YieldOp
from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.atlas.instructions.storage import Trap, view
from hologram.dialects.atlas.instructions.types import DTYPES, Space
from hologram.dialects.atlas.lanes import programs as atlas
from hologram.dialects.atlas.lanes.pools import PoolAllocOp, PoolFreeOp
from hologram.dialects.atlas.lanes.reductions import SPANS
from hologram.interpreter.core import traps
from hologram.interpreter.core.host import check_axis, write
from hologram.interpreter.core.scalars import SCALARS_BY_NAME, may_trap, unsupported
from hologram.interpreter.core.state import STATE, Lanes, LaneState, StateHandler
from hologram.interpreter.core.values import Array, Buffer, element_type, isa_type, static_shape
from hologram.interpreter.lanes import atomics, pointers
from hologram.interpreter.lanes.branches import call, run_region, unset
from hologram.interpreter.lanes.class_memory import CLASS_MEMORY
from hologram.interpreter.lanes.memory import MANY, Memory, Shadow, block_memory, lane_memory
from hologram.interpreter.lanes.ordering import Order
from hologram.interpreter.lanes.pointers import Pointer
from hologram.interpreter.lanes.spans import reduce_span

if TYPE_CHECKING:
    from hologram.interpreter.core.machine import Machine

LaneValue: TypeAlias = "Array | Memory | Pointer"
"""An array over lanes, of rank 0 if all lanes have the same value; memory; or pointers."""
LaneHandler: TypeAlias = Callable[["Batch", Any, list[Any], Array], Sequence[LaneValue]]
"""Executes one operation in the lanes of a mask."""


class LaunchShape(Protocol):
    """What a batch needs to know of its launch."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    epochs: Array
    order: Order | None
    by_byte: bool
    shared_bytes: int
    arena: Memory | None
    pools: dict[str, Memory]

    @property
    def block_size(self) -> int: ...
    def pool(self, name: str, type: Attribute) -> Memory: ...
    def shadow(self, units: int) -> Shadow: ...
    def lane_name(self, lane: int) -> str: ...


class Batch:
    """Some whole blocks of a launch. Lane arrays run over their lanes, block by block."""

    def __init__(self, machine: Machine, shape: LaunchShape, blocks: range):
        self.machine = machine
        self.shape = shape
        size = shape.block_size
        self.count = len(blocks) * size
        self.lanes = np.arange(blocks.start * size, blocks.stop * size, dtype=np.int64)
        """The linear number of each lane."""
        self.blocks = self.lanes // size
        self.exited = np.zeros(self.count, np.bool_)
        self.environment: dict[SSAValue, LaneValue] = {}
        self.declared: dict[Operation, Memory] = {}
        self.depth = 0
        """Return addresses on the call stack."""
        self.state = LaneState(machine.state, self.blocks % shape.grid[0])

    @property
    def arena(self) -> Memory:
        """Class memory, which a launch has if its module names it."""
        assert self.shape.arena is not None
        return self.shape.arena

    # Blocks of operations

    def run_program(self, program: atlas.ProgramOp, args: Sequence[LaneValue]) -> None:
        """Runs the program in all lanes."""
        run_region(self, program.body, args, np.ones(self.count, np.bool_))

    def run_block(self, block: Block, args: Sequence[LaneValue], mask: Array) -> list[LaneValue] | None:
        """Runs a block in the lanes of the mask: what it yields, or None if all of them exited."""
        self.environment.update(zip(block.args, args, strict=True))
        for op in block.ops:
            self.machine.step(op)
            if isinstance(op, YieldOp):
                return [self.environment[v] for v in op.values]
            if isinstance(op, atlas.ExitOp):
                self.exited |= mask
                return None
            self.environment.update(zip(op.results, self.execute(op, mask), strict=True))
            if op.regions or isinstance(op, atlas.CallOp):
                mask = mask & ~self.exited
                if not mask.any():
                    return None
        return None

    def execute(self, op: Operation, mask: Array) -> Sequence[LaneValue]:
        """Executes an operation in the lanes of the mask: its results."""
        handler = LANES.get(op.name) or (run_scalar if op.name in SCALARS_BY_NAME else None)
        if handler is None:
            raise unsupported(op)
        return handler(self, op, [self.environment[v] for v in op.operands], mask)

    # Names and masks

    def lane_name(self, position: int) -> str:
        """Where in the batch's lanes an error happened."""
        return " in " + self.shape.lane_name(int(self.lanes[position]))

    def select(self, value: Array, active: Array) -> Array:
        """A value in the active lanes, given by their positions."""
        return np.broadcast_to(value, self.count)[active]

    def spread(self, values: Array, active: Array) -> Array:
        """An array over all lanes from the values of the active ones."""
        full = np.zeros(self.count, values.dtype)
        full[active] = values
        return full

    def merge(self, mask: Array, new: Sequence[LaneValue] | None, old: Sequence[LaneValue]) -> list[LaneValue]:
        """The new values in the lanes of the mask, the old ones elsewhere."""
        if new is None or mask.all():
            return list(old if new is None else new)
        return [_merge_one(mask, a, b) for a, b in zip(new, old, strict=True)]

    def other(self, lane: int) -> str:
        """The other lane of a race."""
        return "several lanes" if lane == MANY else self.shape.lane_name(lane)


def _merge_one(mask: Array, new: Any, old: Any) -> LaneValue:
    if isinstance(new, Pointer):
        return Pointer.merge(mask, new, old) if isinstance(old, Pointer) else new
    if isinstance(old, Pointer | Memory) or isinstance(new, Memory):
        return old
    return cast("Array", np.where(mask, new, old))


def run_scalar(batch: Batch, op: Operation, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """A scalar operation. One that may trap runs in the active lanes only."""
    function: Callable[[Operation, Sequence[Array]], Any] = SCALARS_BY_NAME[op.name]
    if not may_trap(op):
        return (function(op, args),)
    active = np.flatnonzero(mask)
    selected = [batch.select(a, active) for a in args]
    try:
        return (batch.spread(function(op, selected), active),)
    except Trap as trap:
        at = traps.first(trap.lanes, active.shape)
        raise traps.instruction(op, trap.reason, batch.lane_name(int(active[at])), [a[at] for a in selected]) from None


def _on_state(handler: StateHandler) -> LaneHandler:
    """The handler of an instruction over the state of the active lanes."""

    def run(batch: Batch, op: Any, args: list[Any], mask: Array) -> Sequence[LaneValue]:
        return handler(Lanes(batch.state, mask, batch.lane_name), op, args)

    return run


def special(batch: Batch, op: atlas.SpecialOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    name = op.register.data
    if name == "gid":
        return (batch.lanes,)
    group, axis = name.split(".")
    number = atlas.AXES.index(axis)
    if group in ("lanes", "grid"):
        return (np.array((batch.shape.block if group == "lanes" else batch.shape.grid)[number], np.int32),)
    linear, sizes = (
        (batch.lanes % batch.shape.block_size, batch.shape.block)
        if group == "lane"
        else (batch.blocks, batch.shape.grid)
    )
    strides = (1, sizes[0], sizes[0] * sizes[1])
    return ((linear // strides[number] % sizes[number]).astype(np.int32),)


# Memory


def alloca(batch: Batch, op: atlas.AllocaOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """Declares an array: one for the block or the lane, however often the lanes come by."""
    if op not in batch.declared:
        type = op.result.type
        shared = atlas.space_of(type) is Space.shared  # pyright: ignore[reportArgumentType]
        parts = (batch.blocks - batch.blocks[0]) if shared else np.arange(batch.count)
        element = isa_type(element_type(type))
        shape = [batch.shape.shared_bytes // element.bytes] if op.is_open else static_shape(type)
        data = np.zeros((int(parts[-1]) + 1, *shape), element.numpy)
        buffer = Buffer(data, np.zeros(data.shape, np.bool_))
        batch.declared[op] = block_memory(buffer, parts, batch.shape) if shared else lane_memory(buffer, parts)
    return (batch.declared[op],)


def pool_alloc(batch: Batch, op: PoolAllocOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """The launch's pool; all batches share it."""
    return (batch.shape.pool(op.pool.string_value(), op.result.type),)


def pool_free(batch: Batch, op: PoolFreeOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """What the pool holds counts as never written."""
    pool = batch.shape.pools.get(op.pool.string_value())
    if pool is not None and pool.buffer.defined is not None and mask.any():
        pool.buffer.defined[...] = False
        pool.buffer.partly = None
    return ()


def load(batch: Batch, op: atlas.LoadOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    memory, *indices = args
    active = np.flatnonzero(mask)
    if isinstance(memory, Pointer):
        return pointers.load(batch, op, memory, indices, active)
    results: list[LaneValue] = []
    for index in located(batch, op, memory, indices, active):
        check_read(batch, op, memory, indices, index, active)
        data = memory.buffer.data
        results.append(batch.spread(np.broadcast_to(np.asarray(data[index], data.dtype), active.shape), active))
    return results


def located(batch: Batch, op: Any, memory: Memory, indices: Sequence[Array], active: Array) -> list[tuple[Array, ...]]:
    """The places of the values of an access in the active lanes, all in range and aligned."""
    if op.count == 1:
        return [locate(batch, op, memory, indices, active)]
    places = [locate(batch, op, memory, [*indices[:-1], indices[-1] + number], active) for number in range(op.count)]
    first = np.ravel_multi_index(places[0][-len(indices) :], memory.shape)
    size = op.dtype.bytes
    if (odd := first * size % op.alignment != 0).any():
        at = int(np.argmax(odd))
        raise traps.misaligned_offset(op, batch.lane_name(int(active[at])), int(first[at]) * size, op.alignment)
    return places


def check_read(
    batch: Batch, op: Operation, memory: Memory, indices: Sequence[Array], index: tuple[Array, ...], active: Array
) -> None:
    """Records that the active lanes read, and traps on a race or what nobody wrote."""
    check_order(batch, op, memory, index, active, is_store=False)
    buffer = memory.buffer
    if buffer.defined is not None and not (written := np.broadcast_to(buffer.defined[index], active.shape)).all():
        at = int(np.argmin(written))
        raise traps.uninitialised(op, batch.lane_name(int(active[at])), seen(batch, indices, active[at]))


def atomic(batch: Batch, op: atlas.AtomicOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    active, count = np.flatnonzero(mask), len(op.given)
    given = [batch.select(a, active) for a in args[:count]]
    memory, indices = args[count], args[count + 1 :]
    if isinstance(memory, Pointer):
        return atomics.by_pointer(batch, op, memory, indices, given, active)
    index = locate(batch, op, memory, indices, active)
    check_read(batch, op, memory, indices, index, active)
    return atomics.by_index(batch, op, memory, index, given, active)


def store(batch: Batch, op: atlas.StoreOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    active = np.flatnonzero(mask)
    values = [batch.select(value, active) for value in args[: op.count]]
    memory, *indices = args[op.count :]
    if isinstance(memory, Pointer):
        return pointers.store(batch, op, memory, indices, values, active)
    for index, stored in zip(located(batch, op, memory, indices, active), values, strict=True):
        check_order(batch, op, memory, index, active, is_store=True)
        write(op, memory.buffer, index, stored if index else stored[-1])
    return ()


def seen(batch: Batch, indices: Sequence[Array], lane: int) -> tuple[int, ...]:
    """The indices of an access as the program gives them."""
    return tuple(int(np.broadcast_to(i, batch.count)[lane]) for i in indices)


def locate(batch: Batch, op: Operation, memory: Memory, indices: Sequence[Array], active: Array) -> tuple[Array, ...]:
    """The indices into the memory's data in the active lanes, in range and aligned."""
    index = tuple(batch.select(i, active) for i in indices)
    outside = np.zeros(active.shape, np.bool_)
    for axis, size in zip(index, memory.shape, strict=True):
        outside |= (axis < 0) | (axis >= size)
    if outside.any():
        lane = int(active[np.argmax(outside)])
        raise traps.out_of_range(op, batch.lane_name(lane), seen(batch, indices, lane), memory.shape)
    index = index if memory.lead is None else (memory.lead[active], *index)
    if (off := memory.misaligned(index)) is not None:
        raise traps.misaligned(op, batch.lane_name(int(active[off[0]])), off[1], off[2])
    return index


def check_order(
    batch: Batch, op: Operation, memory: Memory, index: tuple[Array, ...], active: Array, *, is_store: bool
) -> None:
    """Records the accesses of the active lanes and traps on a race."""
    if memory.shadow is None:
        return
    each = memory.units_each
    lanes = np.repeat(batch.lanes[active], each)
    units = np.resize(memory.units(index), lanes.shape)  # without indices all lanes access the one element
    epochs = np.repeat(batch.shape.epochs[batch.blocks[active]], each)
    record = memory.shadow.store if is_store else memory.shadow.load
    if (conflict := record(units, lanes, epochs)) is not None:
        at = conflict.access // each
        other = batch.other(conflict.lane)
        own = index if memory.lead is None else index[1:]
        raise traps.race(op, batch.lane_name(int(active[at])), other, [int(axis[at]) for axis in own], conflict.what)


def dim(batch: Batch, op: memref.DimOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    memory, axis = args
    sizes = np.array(memory.shape, np.int64)
    numbers = np.broadcast_to(axis, batch.count)
    for number in set(numbers[mask].tolist()):
        check_axis(op, number, len(sizes))
    return (sizes[np.where(mask, numbers, 0)],)


# Control and synchronisation


def check(batch: Batch, op: AssertOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """`atlas.assert` in the active lanes."""
    failed = mask & ~np.broadcast_to(args[0], batch.count)
    if failed.any():
        at = int(np.argmax(failed))
        values = [np.broadcast_to(a, batch.count)[at] for a in args]
        raise traps.asserted(op, batch.lane_name(at), values)
    return ()


def if_(batch: Batch, op: atlas.IfOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """Both sides, each in its lanes. A side that ends in exit goes first: its lanes count at the other's barriers."""
    holds = np.broadcast_to(args[0], batch.count)
    sides = [(op.then_region, mask & holds), (op.else_region, mask & ~holds)]
    first = 1 if _exits(op.else_region) and not _exits(op.then_region) else 0
    yields: list[list[LaneValue] | None] = [None, None]
    for number in (first, 1 - first):
        region, lanes = sides[number]
        if region.blocks and lanes.any():
            yields[number] = batch.run_block(region.block, (), lanes)
    if yields[1] is None:
        nothing = unset(op)
        return nothing if yields[0] is None else yields[0]
    return batch.merge(sides[0][1], yields[0], yields[1])


def _exits(region: Region) -> bool:
    return bool(region.blocks) and isinstance(region.block.last_op, atlas.ExitOp)


def loop(batch: Batch, op: atlas.LoopOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """Each lane as often as its count, read as unsigned, says."""
    count, *carried = args
    unsigned = view(np.broadcast_to(count, batch.count), DTYPES[f"u{isa_type(op.count.type).bits}"])
    dtype = isa_type(op.count.type).numpy
    iteration = 0
    while (active := mask & ~batch.exited & (unsigned > iteration)).any():
        with np.errstate(all="ignore"):
            number = np.array(iteration).astype(dtype)
        yielded = batch.run_block(op.body.block, [number, *carried], active)
        carried = batch.merge(active, yielded, carried)
        iteration += 1
    return carried


def repeat(batch: Batch, op: atlas.RepeatOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """Each lane until its body says no."""
    carried = list(args)
    results = unset(op)
    active: Array = mask & ~batch.exited
    while active.any():
        yielded = batch.run_block(op.body.block, carried, active)
        if yielded is None:
            break
        again, *values = yielded
        carried = batch.merge(active, values[: len(carried)], carried)
        results = batch.merge(active, values[len(carried) :], results)
        active = active & ~batch.exited & np.broadcast_to(cast("Array", again), batch.count)
    return results


def barrier(batch: Batch, op: atlas.BarSyncOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """All lanes of a block that have not exited come here together, or none."""
    by_block = (-1, batch.shape.block_size)
    reached = mask.reshape(by_block)
    waiting = np.any(reached, axis=1, keepdims=True)
    missing = ~batch.exited.reshape(by_block) & ~reached & waiting
    if missing.any():
        absent = int(np.argmax(missing))
        block = absent // batch.shape.block_size * batch.shape.block_size
        present = block + int(np.argmax(mask[block : block + batch.shape.block_size]))
        raise traps.barrier(op, batch.lane_name(present), batch.lane_name(absent).strip())
    batch.shape.epochs[batch.blocks.reshape(by_block)[waiting[:, 0], 0]] += 1
    if (order := batch.shape.order) is not None:
        order.barrier(batch.lanes[reached.reshape(-1)].tolist())
    return ()


LANES: dict[str, LaneHandler] = (
    {
        op.name: handler
        for ops, handler in (
            ((atlas.SpecialOp,), special),
            ((atlas.AllocaOp,), alloca),
            ((PoolAllocOp,), pool_alloc),
            ((PoolFreeOp,), pool_free),
            ((atlas.LdgOp, atlas.LdsOp, atlas.LdlOp, atlas.PoolLoadOp), load),
            (SPANS, partial(reduce_span, locate)),
            ((atlas.LeaOp,), pointers.lea),
            (atlas.ATOMICS, atomic),
            ((atlas.MemfenceOp,), atomics.memfence),
            ((atlas.StgOp, atlas.StsOp, atlas.StlOp, atlas.PoolStoreOp), store),
            ((memref.DimOp,), dim),
            ((atlas.IfOp,), if_),
            ((atlas.LoopOp,), loop),
            ((atlas.RepeatOp,), repeat),
            ((atlas.CallOp,), call),
            ((atlas.BarSyncOp,), barrier),
            ((AssertOp,), check),
        )
        for op in ops
    }
    | {op.name: _on_state(handler) for op, handler in STATE.items()}
    | {op.name: h for op, h in CLASS_MEMORY.items()}
)
"""What executes each operation of lanes that is not scalar."""
