"""Where the values of a program of blocks live, in the order of its blocks, and linear scan over registers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, SSAValue

from hologram.transforms.control_tree import Live, Variable, reads


@dataclass(eq=False)
class Interval:
    """From the first to the last place where a value must be kept; places are numbers of operations."""

    value: SSAValue
    width: int
    start: int
    end: int
    may_spill: bool
    register: int = -1
    """The first register; -1 if it is kept in memory."""


def intervals(
    blocks: Sequence[Block], width: Callable[[SSAValue], int], may_spill: Callable[[SSAValue], bool]
) -> list[Interval]:
    """The interval of every value but memrefs, by their starts."""
    live = _live_in(blocks)
    found: dict[SSAValue, Interval] = {}
    place = 0

    def touch(value: Variable) -> None:
        if not isinstance(value, SSAValue) or isinstance(value.type, MemRefType):
            return
        if value not in found:
            found[value] = Interval(value, width(value), place, place, may_spill(value))
        found[value].start = min(found[value].start, place)
        found[value].end = max(found[value].end, place)

    for block in blocks:
        for value in (*live[block], *block.args):
            touch(value)
        for op in block.ops:
            place += 1
            for value in (*op.operands, *op.results):
                touch(value)
        for target in () if block.last_op is None else block.last_op.successors:
            for value in live[target]:
                touch(value)
        place += 1
    return sorted(found.values(), key=lambda i: i.start)


def _live_in(blocks: Sequence[Block]) -> dict[Block, Live]:
    """The values that each block reads, or passes on, from before it."""
    live: dict[Block, Live] = {b: {} for b in blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            last = block.last_op
            found: Live = {v: None for b in (() if last is None else last.successors) for v in live[b]}
            for op in reversed(list(block.ops)):
                for result in op.results:
                    found.pop(result, None)
                found |= reads(op)
            for arg in block.args:
                found.pop(arg, None)
            changed |= found.keys() != live[block].keys()
            live[block] = found
    return {b: {v: None for v in found} for b, found in live.items()}


def linear_scan(wanted: Sequence[Interval], first: int, limit: int) -> list[Interval]:
    """Gives the intervals registers from `first` up to `limit`, and memory to those that end last where there are too
    few. Gives the intervals that fit nowhere, because they may not be kept in memory.
    """
    active: list[Interval] = []
    failed: list[Interval] = []
    for current in wanted:
        active = [i for i in active if i.end >= current.start]
        while (place := _free_run(active, current.width, first, limit)) is None:
            victims = [i for i in (*active, current) if i.may_spill]
            if not victims:
                failed.append(current)
                break
            victim = max(victims, key=lambda i: i.end)
            if victim is current:
                break
            victim.register = -1
            active.remove(victim)
        if place is not None:
            current.register = place
            active.append(current)
    return failed


def _free_run(active: Sequence[Interval], width: int, first: int, limit: int) -> int | None:
    """The first of so many consecutive registers that no interval uses."""
    at = first
    for interval in sorted(active, key=lambda i: i.register):
        if interval.register - at >= width:
            return at
        at = max(at, interval.register + interval.width)
    return at if at + width <= limit else None
