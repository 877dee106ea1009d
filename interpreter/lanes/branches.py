"""Lanes that go their own ways: blocks with branches, functions and calls, under the masks of lockstep execution.

Of the blocks that lanes wait for, the first in reverse postorder runs next, with all lanes that are there: so lanes
that parted come together where their ways join, whatever the shape of the graph. Lanes at a barrier wait until no lane
can go on without passing one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation, Region, SSAValue

from hologram.dialects.atlas.instructions.types import dtype_of
from hologram.dialects.atlas.lanes import programs as atlas
from hologram.dialects.atlas.lanes.branches import CALL_STACK
from hologram.interpreter.core import traps
from hologram.interpreter.core.scalars import unsupported
from hologram.interpreter.core.values import Array
from hologram.interpreter.lanes.batch import LANES, Batch, LaneValue
from hologram.transforms.analysis.dominance import reverse_postorder

Place = tuple[int, int]
"""A block by its number in reverse postorder, and the number of an operation in it."""


def run_region(batch: Batch, region: Region, args: Sequence[LaneValue], mask: Array) -> list[LaneValue] | None:
    """Runs a program's or function's body in the lanes of the mask: what it returns, or None if no lane returns."""
    if region.first_block is region.last_block and not isinstance(region.block.last_op, atlas.RetOp):
        batch.run_block(region.block, args, mask)
        return None
    return _Walk(batch, region, mask).run(args)


class _Walk:
    """Some lanes on their ways through a region."""

    def __init__(self, batch: Batch, region: Region, mask: Array):
        self.batch = batch
        self.mask = mask
        self.blocks = reverse_postorder(region.blocks[0])
        self.ops = [list(block.ops) for block in self.blocks]
        self.rank = {block: number for number, block in enumerate(self.blocks)}
        self.pending: dict[Place, Array] = {}
        self.returned: list[LaneValue] | None = None

    def run(self, args: Sequence[LaneValue]) -> list[LaneValue] | None:
        self._define(self.blocks[0].args, args, self.mask)
        self._send((0, 0), self.mask)
        while self.pending:
            moving = [place for place in self.pending if not isinstance(self._at(place), atlas.BarSyncOp)]
            place = min(moving or self.pending)
            self._follow(place, self.pending.pop(place), passes=not moving)
        return self.returned

    def _at(self, place: Place) -> Operation:
        return self.ops[place[0]][place[1]]

    def _send(self, place: Place, lanes: Array) -> None:
        if lanes.any():
            self.pending[place] = lanes | self.pending[place] if place in self.pending else lanes

    def _follow(self, place: Place, mask: Array, *, passes: bool) -> None:
        """Runs a block from a place on in the lanes of the mask, up to its end or a barrier that it does not begin."""
        number, first = place
        for position, op in enumerate(self.ops[number][first:], first):
            if isinstance(op, atlas.BarSyncOp) and not (passes and position == first):
                self._send((number, position), mask)
                return
            self.batch.machine.step(op)
            match op:
                case atlas.BraOp():
                    self._branch(op, mask)
                case atlas.ExitOp():
                    self.batch.exited |= mask
                case atlas.RetOp():
                    self._return(op, mask)
                case _:
                    self._define(op.results, self.batch.execute(op, mask), mask)
                    mask = mask & ~self.batch.exited
                    if not mask.any():
                        return

    def _define(self, values: Sequence[SSAValue], new: Sequence[LaneValue], mask: Array) -> None:
        """Binds values in the lanes of the mask; what other lanes hold stays."""
        known = self.batch.environment
        if mask is not self.mask and all(v in known for v in values):
            new = self.batch.merge(mask | ~self.mask, new, [known[v] for v in values])
        known.update(zip(values, new, strict=True))

    def _branch(self, op: atlas.BraOp, mask: Array) -> None:
        known = self.batch.environment
        holds: Array = np.ones(1, np.bool_) if op.condition is None else np.asarray(known[op.condition])
        ways = [
            (block, [known[v] for v in arguments], mask & lanes)
            for (block, arguments), lanes in zip(op.ways, (holds, ~holds), strict=False)
        ]
        for block, values, lanes in ways:
            if lanes.any():
                self._define(block.args, values, lanes)
                self._send((self.rank[block], 0), lanes)

    def _return(self, op: atlas.RetOp, mask: Array) -> None:
        values = [self.batch.environment[v] for v in op.values]
        self.returned = values if self.returned is None else self.batch.merge(mask, values, self.returned)


@LANES.on(atlas.CallOp)
def call(batch: Batch, op: atlas.CallOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """Calls a function in the lanes of the mask. Its values and its local arrays are those of this call."""
    function = batch.machine.symbol(op.callee.string_value())
    if not isinstance(function, atlas.FuncOp):
        raise unsupported(op)
    if batch.depth >= CALL_STACK:
        raise traps.call_overflow(op, CALL_STACK, batch.lane_name(int(np.argmax(mask))))
    outer = batch.environment, batch.declared
    batch.environment, batch.declared = {}, {}
    batch.depth += 1
    try:
        returned = run_region(batch, function.body, args, mask)
    finally:
        batch.depth -= 1
        batch.environment, batch.declared = outer
    return unset(op) if returned is None else returned


def unset(op: Operation) -> list[LaneValue]:
    """Results for lanes that exited, which nobody sees."""
    dtypes = (dtype_of(type) for type in op.result_types)
    return [np.zeros((), np.bool_ if dtype is None else dtype.numpy) for dtype in dtypes]
