"""A launch of a lane program: its shape, its arguments, and its blocks in batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from hologram.dialects.atlas.lanes.programs import LaunchOp, ProgramOp
from hologram.errors import InputError, where_of
from hologram.interpreter.core import traps
from hologram.interpreter.core.machine import Handler, Machine
from hologram.interpreter.core.values import Array, Buffer, Value
from hologram.interpreter.lanes import accesses, class_memory, control, spans, state
from hologram.interpreter.lanes.batch import Batch, Shape
from hologram.interpreter.lanes.branches import run_region
from hologram.interpreter.lanes.memory import Memory, global_memories

HANDLERS = (accesses, class_memory, control, spans, state)
"""The modules whose functions execute the operations of lanes."""
BATCH_LANES = 1 << 14
"""About how many lanes run at once. Blocks are independent, so their number changes nothing but the time."""


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
        batch = Batch(machine, shape, range(start, min(start + at_once, shape.blocks)))
        run_region(batch, program.body, values, np.ones(batch.count, np.bool_))


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
