"""The knowledge of lanes of each other by fences and atomics: happens-before beyond barriers (isa.md section 1).

A lane's fence closes a stretch of its accesses, and holds what it knows. An atomic write after a fence publishes that
at its place; a lane whose atomic reads there, and which then fences, knows it too. At a barrier the lanes of a block
learn what each of them knows. Only launches of modules that have fences are watched so closely.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hologram.dialects.atlas.lanes.programs import SCOPES
from hologram.interpreter.core.values import Array
from hologram.interpreter.lanes.memory import Conflict, Shadow


class Stamp(NamedTuple):
    """The time of an access: its lane, the barriers that its block had passed, and the fences that the lane had."""

    lane: int
    epoch: int
    fences: int


@dataclass
class Known:
    """The accesses that happened before: of some lanes those before a fence, of some blocks those before a barrier."""

    lanes: dict[int, int] = field(default_factory=dict[int, int])
    blocks: dict[int, int] = field(default_factory=dict[int, int])

    def learn(self, other: Known) -> None:
        """Adds what another one holds."""
        for mine, theirs in ((self.lanes, other.lanes), (self.blocks, other.blocks)):
            for key, time in theirs.items():
                mine[key] = max(mine.get(key, 0), time)

    def holds(self, stamp: Stamp, block: int) -> bool:
        """Return whether an access happened before."""
        return self.lanes.get(stamp.lane, 0) > stamp.fences or self.blocks.get(block, 0) > stamp.epoch


@dataclass
class LaneState:
    """The knowledge of one lane, and what it may come to know."""

    known: Known = field(default_factory=Known)
    fences: int = 0
    released: list[Known | None] = field(default_factory=lambda: [None, None])
    """What its last fence held, by the scope (block, device) that it was of at least."""
    seen: list[list[Known]] = field(default_factory=lambda: [[], []])
    """What its atomics saw since, by the scope that a fence must be of."""


class Order:
    """The knowledge of all lanes of a launch."""

    def __init__(self, block_size: int):
        self.block_size = block_size
        self._lanes: dict[int, LaneState] = {}
        self._blocks: dict[int, Known] = {}
        self._published: dict[tuple[int, int], dict[int, list[Known | None]]] = {}

    def state(self, lane: int) -> LaneState:
        """The state of a lane."""
        return self._lanes.setdefault(lane, LaneState())

    def stamp(self, lane: int, epoch: int) -> Stamp:
        """The stamp of an access now."""
        return Stamp(lane, epoch, self.state(lane).fences)

    def knows(self, lane: int, epoch: int, stamp: Stamp) -> bool:
        """Return whether an access happened before what a lane does now."""
        block, other = lane // self.block_size, stamp.lane // self.block_size
        if stamp.lane == lane or (block == other and stamp.epoch < epoch):
            return True
        common = self._blocks.get(block)
        return self.state(lane).known.holds(stamp, other) or (common is not None and common.holds(stamp, other))

    def fence(self, lane: int, epoch: int, scope: str) -> None:
        """A lane fences."""
        reach = min(SCOPES.index(scope), 2)
        if reach == 0:
            return
        state, block = self.state(lane), lane // self.block_size
        for seen in state.seen[:reach]:
            for known in seen:
                state.known.learn(known)
            seen.clear()
        state.fences += 1
        held = Known({lane: state.fences}, {block: epoch})
        held.learn(state.known)
        if (common := self._blocks.get(block)) is not None:
            held.learn(common)
        for level in range(reach):
            state.released[level] = held

    def barrier(self, lanes: Iterable[int]) -> None:
        """The lanes of a block meet."""
        for lane in lanes:
            if (state := self._lanes.get(lane)) is not None:
                self._blocks.setdefault(lane // self.block_size, Known()).learn(state.known)

    def atomic(self, place: tuple[int, int], lane: int, *, writes: bool) -> None:
        """A lane's atomic reads at a place (a memory and a unit of it), and perhaps writes."""
        published, state = self._published.setdefault(place, {}), self.state(lane)
        for other, released in published.items():
            level = 0 if other // self.block_size == lane // self.block_size else 1
            if other != lane and (known := released[level]) is not None:
                state.seen[level].append(known)
        if writes and any(state.released):
            published[lane] = list(state.released)


class OrderedShadow(Shadow):
    """The accesses to each unit of memory since the last write, one for each lane."""

    def __init__(self, order: Order):
        self.order = order
        self.written: dict[int, Stamp] = {}
        self.was_read: dict[int, dict[int, Stamp]] = {}

    def load(self, units: Array, lanes: Array, epochs: Array) -> Conflict | None:
        for access, (unit, lane, epoch) in enumerate(_rows(units, lanes, epochs)):
            if (writer := self._unknown(self.written.get(unit), lane, epoch)) is not None:
                return Conflict(access, "it was written by", writer.lane)
            self.was_read.setdefault(unit, {})[lane] = self.order.stamp(lane, epoch)
        return None

    def store(self, units: Array, lanes: Array, epochs: Array) -> Conflict | None:
        for access, (unit, lane, epoch) in enumerate(_rows(units, lanes, epochs)):
            if (writer := self._unknown(self.written.get(unit), lane, epoch)) is not None:
                return Conflict(access, "it was written by", writer.lane)
            for reader in self.was_read.pop(unit, {}).values():
                if self._unknown(reader, lane, epoch) is not None:
                    return Conflict(access, "it was read by", reader.lane)
            self.written[unit] = self.order.stamp(lane, epoch)
        return None

    def _unknown(self, stamp: Stamp | None, lane: int, epoch: int) -> Stamp | None:
        """An access that did not happen before."""
        return None if stamp is None or self.order.knows(lane, epoch, stamp) else stamp


def _rows(*arrays: Array) -> Iterable[Sequence[int]]:
    return zip(*(a.tolist() for a in arrays), strict=True)
