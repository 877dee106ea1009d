"""The Atlas state: class memory and the sums of R of a run, and what the lanes of a batch hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Operation

from hologram import resonance
from hologram.classes import ARENA_BYTES, CLASS_COUNT, PHASE_MODULUS
from hologram.dialects.atlas.instructions.storage import view
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.atlas.lanes import state as atlas
from hologram.interpreter.core import traps
from hologram.interpreter.core.values import Array

U32 = DTYPES["u32"]


def _no_bytes() -> Array:
    return np.zeros(ARENA_BYTES, np.uint8)


@dataclass
class AtlasState:
    """What a run shares with its caller: class memory, and for each class the sum of R as a multiple of 2^-64."""

    classes: Array = field(default_factory=_no_bytes)
    sums: list[int] = field(default_factory=lambda: [0] * CLASS_COUNT)

    @property
    def resonance(self) -> resonance.Resonance:
        """R, summed over all lanes of the launches so far."""
        return resonance.Resonance(self.sums)


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


class Lanes:
    """What a handler knows of the lanes that run: their state, which of them are active, their names."""

    def __init__(self, state: LaneState, mask: Array, lane_name: Callable[[int], str]):
        self.state = state
        self.active = np.flatnonzero(mask)
        self._count, self._lane_name = len(mask), lane_name

    def select(self, value: Array) -> Array:
        """A value in the active lanes."""
        return np.broadcast_to(value, self._count)[self.active]

    def spread(self, values: Array) -> Array:
        """A value of all lanes from those of the active ones."""
        full = np.zeros(self._count, values.dtype)
        full[self.active] = values
        return full

    def name(self, position: int) -> str:
        """The name of the active lane with this number."""
        return self._lane_name(int(self.active[position]))

    def classes(self, op: Operation, value: Array) -> Array:
        """Classes in the active lanes, as indices."""
        found = view(self.select(value), U32).astype(np.int64)
        if (outside := found >= CLASS_COUNT).any():
            at = int(np.argmax(outside))
            raise traps.no_class(op, self.name(at), [int(found[at])])
        return found

    def fixed(self, op: Any, value: Array) -> list[int]:
        """Values of the instruction's type in the active lanes as multiples of 2^-64."""
        numbers = view(self.select(value), op.dtype)
        found: list[int] = []
        for at, number in enumerate(numbers.astype(np.float64).tolist() if op.dtype.is_float else numbers.tolist()):
            try:
                found.append(resonance.to_fixed(number))
            except ValueError:
                raise traps.no_resonance(op, self.name(at), number) from None
        return found


StateHandler: TypeAlias = Callable[[Lanes, Any, Sequence[Array]], Sequence[Array]]


def cls_get(lanes: Lanes, op: atlas.ClsGetOp, args: Sequence[Array]) -> Sequence[Array]:
    return (lanes.state.current,)


def phase_get(lanes: Lanes, op: atlas.PhaseGetOp, args: Sequence[Array]) -> Sequence[Array]:
    return (lanes.state.phase.astype(np.int32),)


def phase_adv(lanes: Lanes, op: atlas.PhaseAdvOp, args: Sequence[Array]) -> Sequence[Array]:
    step = view(lanes.select(args[0]), U32).astype(np.int64)
    lanes.state.phase[lanes.active] = (lanes.state.phase[lanes.active] + step) % PHASE_MODULUS
    return ()


def phase_read(lanes: Lanes, op: atlas.PhaseReadOp, args: Sequence[Array]) -> Sequence[Array]:
    return (lanes.spread(lanes.state.class_phase[lanes.active, lanes.classes(op, args[0])]),)


def phase_write(lanes: Lanes, op: atlas.PhaseWriteOp, args: Sequence[Array]) -> Sequence[Array]:
    lanes.state.class_phase[lanes.active, lanes.classes(op, args[0])] = lanes.select(args[1])
    return ()


def res_accum(lanes: Lanes, op: atlas.ResAccumOp, args: Sequence[Array]) -> Sequence[Array]:
    classes = lanes.classes(op, args[0])
    values = lanes.fixed(op, args[1])
    for lane, number, value in zip(lanes.active.tolist(), classes.tolist(), values, strict=True):
        lanes.state.total[lane] += value
        lanes.state.run.sums[number] += value
    return ()


def unity_test(lanes: Lanes, op: atlas.UnityTestOp, args: Sequence[Array]) -> Sequence[Array]:
    totals = lanes.state.total[lanes.active].tolist()
    pairs = zip(totals, lanes.fixed(op, args[0]), strict=True)
    return (lanes.spread(np.array([abs(resonance.wrapped(total)) < eps for total, eps in pairs], np.bool_)),)


STATE: dict[type[Operation], StateHandler] = {
    atlas.ClsGetOp: cls_get,
    atlas.PhaseGetOp: phase_get,
    atlas.PhaseAdvOp: phase_adv,
    atlas.PhaseReadOp: phase_read,
    atlas.PhaseWriteOp: phase_write,
    atlas.ResAccumOp: res_accum,
    atlas.UnityTestOp: unity_test,
}
"""What executes each instruction over the state of the lanes."""
