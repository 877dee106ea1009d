"""Control of lanes under masks: both sides of a condition, loops, barriers; and special registers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.ir import Region

from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.atlas.instructions.storage import view
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.atlas.lanes import programs as atlas
from hologram.interpreter.core import traps
from hologram.interpreter.core.values import Array, first_of, isa_type
from hologram.interpreter.lanes.batch import LANES, Batch, LaneValue
from hologram.interpreter.lanes.branches import unset


@LANES.on(atlas.SpecialOp)
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


@LANES.on(AssertOp)
def check(batch: Batch, op: AssertOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """`atlas.assert` in the active lanes."""
    failed = mask & ~np.broadcast_to(args[0], batch.count)
    if (at := first_of(failed)) is not None:
        values = [np.broadcast_to(a, batch.count)[at] for a in args]
        raise traps.asserted(op, batch.lane_name(at), values)
    return ()


@LANES.on(atlas.IfOp)
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


@LANES.on(atlas.LoopOp)
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


@LANES.on(atlas.RepeatOp)
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


@LANES.on(atlas.BarSyncOp)
def barrier(batch: Batch, op: atlas.BarSyncOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """All lanes of a block that have not exited come here together, or none."""
    by_block = (-1, batch.shape.block_size)
    reached = mask.reshape(by_block)
    waiting = np.any(reached, axis=1, keepdims=True)
    missing = ~batch.exited.reshape(by_block) & ~reached & waiting
    if (absent := first_of(missing)) is not None:
        block = absent // batch.shape.block_size * batch.shape.block_size
        present = block + int(np.argmax(mask[block : block + batch.shape.block_size]))
        raise traps.barrier(op, batch.lane_name(present), batch.lane_name(absent).strip())
    batch.shape.epochs[batch.blocks.reshape(by_block)[waiting[:, 0], 0]] += 1
    if (order := batch.shape.order) is not None:
        order.barrier(batch.lanes[reached.reshape(-1)].tolist())
    return ()
