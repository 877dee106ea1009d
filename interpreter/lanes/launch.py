"""A launch of a lane program: its shape, its arguments, and its blocks in batches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field
from typing import Any

import numpy as np
from xdsl.ir import Attribute, Operation

from hologram.dialects.atlas.lanes.programs import LaunchOp, ProgramOp
from hologram.errors import InputError, where_of
from hologram.interpreter.core import traps
from hologram.interpreter.core.machine import Handler, Machine
from hologram.interpreter.core.values import Array, Buffer, Value, element_type, isa_type, static_shape
from hologram.interpreter.lanes.memory import Memory, Shadow, global_memories
from hologram.interpreter.lanes.ordering import Order, OrderedShadow
from hologram.interpreter.lanes.programs import Batch

BATCH_LANES = 1 << 14
"""About how many lanes run at once. Blocks are independent, so their number changes nothing but the time."""


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


def launch_program(
    machine: Machine,
    op: Operation,
    program: ProgramOp,
    grid: Sequence[int],
    block: Sequence[int] | None,
    args: Sequence[Value],
    shared_bytes: int = 0,
) -> None:
    """Runs all blocks of a launch that `op` asks for."""
    block = program.block_size or block
    if block is None or len(grid) != 3 or len(block) != 3:
        raise InputError(
            "interpreter-launch-shape",
            f"a launch of @{program.sym_name.data} needs three sizes of the grid and of the block",
            where=where_of(program),
        )
    if min(*grid, *block) < 1:
        raise traps.launch_size(op, [*grid, *block])
    if not 0 <= shared_bytes < 1 << 31:
        raise traps.launch_bytes(op, shared_bytes)
    shape = Shape(
        (grid[0], grid[1], grid[2]), (block[0], block[1], block[2]), by_byte=machine.by_byte, fenced=machine.fenced,
        shared_bytes=shared_bytes,
    )  # fmt: skip
    buffers = [a for a in args if isinstance(a, Buffer)]
    classes = [Buffer(machine.state.classes)] if machine.uses_classes else []
    # Races on class memory are those on global memory, and arrays of the caller's may lie in it.
    memories = iter(global_memories([*classes, *buffers], shape))
    shape.arena = next(memories) if classes else None
    values: list[Array | Memory] = [next(memories) if isinstance(a, Buffer) else a for a in args]
    at_once = max(1, BATCH_LANES // shape.block_size)
    for start in range(0, shape.blocks, at_once):
        Batch(machine, shape, range(start, min(start + at_once, shape.blocks))).run_program(program, values)


def launch(machine: Machine, op: LaunchOp, args: list[Any]) -> Sequence[Value]:
    program = machine.symbol(op.program.string_value())
    if not isinstance(program, ProgramOp):
        raise InputError("interpreter-program", f"there is no atlas.program {op.program}", where=where_of(op))
    grid, block = ([int(np.asarray(v)) for v in machine.values(group)] for group in (op.grid, op.block))
    bytes = sum(int(np.asarray(v)) for v in machine.values(op.shared))
    launch_program(machine, op, program, grid, block or None, machine.values(op.arguments), bytes)
    return ()


LAUNCH: dict[type[Operation], Handler] = {LaunchOp: launch}
"""What executes a launch."""
