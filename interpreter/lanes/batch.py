"""A launch's shape, and the blocks of it that run at once: lanes in lockstep, as arrays over lanes with a mask of those
that are active."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.ir import Attribute, Block, Operation, SSAValue

from hologram.classes import CLASS_COUNT
from hologram.dialects.atlas.arrays.base import YieldOp
from hologram.dialects.atlas.instructions.storage import Trap
from hologram.dialects.atlas.lanes.branches import CallOp
from hologram.dialects.atlas.lanes.control import ExitOp
from hologram.interpreter.core import traps
from hologram.interpreter.core.machine import Machine
from hologram.interpreter.core.scalars import SCALARS, may_trap, unsupported
from hologram.interpreter.core.state import AtlasState
from hologram.interpreter.core.values import Array, Buffer, element_type, isa_type, static_shape
from hologram.interpreter.lanes.memory import MANY, Memory, Pointer, Shadow, global_memories
from hologram.interpreter.lanes.ordering import Order, OrderedShadow
from hologram.support.registry import Registry

LaneValue: TypeAlias = "Array | Memory | Pointer"
"""An array over lanes, of rank 0 if all lanes have the same value; memory; or pointers."""
LaneHandler: TypeAlias = Callable[["Batch", Any, list[Any], Array], Sequence[LaneValue]]
"""Executes one operation in the lanes of a mask."""
LANES = Registry[LaneHandler]()
"""What executes each operation of lanes that is not scalar."""


@dataclass
class Shape:
    """The sizes of a launch along x, y, z."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    by_byte: bool = False
    """Whether races are found on bytes, not on elements."""
    fenced: InitVar[bool] = False
    """Whether fences may order accesses."""
    epochs: Array = field(init=False)
    """For each block, how many barriers it has passed."""
    order: Order | None = field(init=False)
    shared_bytes: int = 0
    """The size of the shared array without a length."""
    arena: Memory | None = None
    """Class memory, if the module names it."""
    pools: dict[str, Memory] = field(default_factory=dict[str, Memory])
    """The pools that a lane has asked for, by name."""

    def __post_init__(self, fenced: bool) -> None:
        self.epochs = np.zeros(self.blocks, np.int32)
        self.order = Order(self.block_size) if fenced else None

    def shadow(self, units: int) -> Shadow:
        """A record of accesses."""
        return Shadow(units, self.block_size) if self.order is None else OrderedShadow(self.order)

    def pool(self, name: str, type: Attribute) -> Memory:
        """The launch's pool of a name, made when it is first asked for."""
        if name not in self.pools:
            data = np.zeros(static_shape(type), isa_type(element_type(type)).numpy)
            (self.pools[name],) = global_memories([Buffer(data, np.zeros(data.shape, np.bool_))], self)
        return self.pools[name]

    @property
    def blocks(self) -> int:
        return math.prod(self.grid)

    @property
    def block_size(self) -> int:
        return math.prod(self.block)

    def lane_name(self, lane: int) -> str:
        """The lane with this linear number."""
        block, inner = divmod(lane, self.block_size)
        place, outer = unravel(inner, self.block), unravel(block, self.grid)
        return f"lane {traps.show_index(place)} of block {traps.show_index(outer)}"


def unravel(linear: Any, sizes: Sequence[int]) -> tuple[Any, Any, Any]:
    """A linear number as x, y, z, x fastest."""
    return linear % sizes[0], linear // sizes[0] % sizes[1], linear // (sizes[0] * sizes[1])


class LaneState:
    """The state of some lanes, one element for each, made when it is asked for; `run` is that of the whole run."""

    def __init__(self, run: AtlasState, blocks_x: Array):
        self.run = run
        self._blocks_x = blocks_x

    @cached_property
    def current(self) -> Array:
        """The current class."""
        return (self._blocks_x % CLASS_COUNT).astype(np.int32)

    @cached_property
    def phase(self) -> Array:
        return np.zeros(len(self._blocks_x), np.int64)

    @cached_property
    def class_phase(self) -> Array:
        return np.zeros((len(self._blocks_x), CLASS_COUNT), np.int32)

    @cached_property
    def total(self) -> Array:
        """The sum of R over all classes."""
        return np.zeros(len(self._blocks_x), object)


class Batch:
    """Some whole blocks of a launch. Lane arrays run over their lanes, block by block."""

    def __init__(self, machine: Machine, shape: Shape, blocks: range):
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

    def run_block(self, block: Block, args: Sequence[LaneValue], mask: Array) -> list[LaneValue] | None:
        """Runs a block in the lanes of the mask: what it yields, or None if all of them exited."""
        self.environment.update(zip(block.args, args, strict=True))
        for op in block.ops:
            self.machine.step(op)
            if isinstance(op, YieldOp):
                return [self.environment[v] for v in op.values]
            if isinstance(op, ExitOp):
                self.exited |= mask
                return None
            self.environment.update(zip(op.results, self.execute(op, mask), strict=True))
            if op.regions or isinstance(op, CallOp):
                mask = mask & ~self.exited
                if not mask.any():
                    return None
        return None

    def execute(self, op: Operation, mask: Array) -> Sequence[LaneValue]:
        """Executes an operation in the lanes of the mask: its results."""
        handler = LANES.find(type(op)) or (run_scalar if SCALARS.find(type(op)) else None)
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
    function: Callable[[Operation, Sequence[Array]], Any] = SCALARS.of(op)
    if not may_trap(op):
        return (function(op, args),)
    active = np.flatnonzero(mask)
    selected = [batch.select(a, active) for a in args]
    try:
        return (batch.spread(function(op, selected), active),)
    except Trap as trap:
        at = traps.first(trap.lanes, active.shape)
        raise traps.instruction(op, trap.reason, batch.lane_name(int(active[at])), [a[at] for a in selected]) from None
