"""Instructions over the Atlas state of lanes: the current class, phases, and R."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from hologram import resonance
from hologram.classes import CLASS_COUNT, PHASE_MODULUS
from hologram.dialects.atlas.instructions.storage import view
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.atlas.lanes import state as atlas
from hologram.interpreter.core import traps
from hologram.interpreter.core.values import Array, first_of
from hologram.interpreter.lanes.batch import LANES, Batch

U32 = DTYPES["u32"]


def _classes(batch: Batch, op: Operation, value: Array, active: Array) -> Array:
    """Classes in the active lanes, as indices."""
    classes = view(batch.select(value, active), U32).astype(np.int64)
    if (at := first_of(classes >= CLASS_COUNT)) is not None:
        raise traps.no_class(op, batch.lane_name(int(active[at])), [int(classes[at])])
    return classes


def _fixed(batch: Batch, op: Any, value: Array, active: Array) -> list[int]:
    """Values of the instruction's type in the active lanes as multiples of 2^-64."""
    numbers = view(batch.select(value, active), op.dtype)
    numbers = numbers.astype(np.float64) if op.dtype.is_float else numbers
    fixed: list[int] = []
    for lane, number in zip(active.tolist(), numbers.tolist(), strict=True):
        try:
            fixed.append(resonance.to_fixed(number))
        except ValueError:
            raise traps.no_resonance(op, batch.lane_name(lane), number) from None
    return fixed


@LANES.on(atlas.ClsGetOp)
def cls_get(batch: Batch, op: atlas.ClsGetOp, args: list[Any], mask: Array) -> Sequence[Array]:
    return (batch.state.current,)


@LANES.on(atlas.PhaseGetOp)
def phase_get(batch: Batch, op: atlas.PhaseGetOp, args: list[Any], mask: Array) -> Sequence[Array]:
    return (batch.state.phase.astype(np.int32),)


@LANES.on(atlas.PhaseAdvOp)
def phase_adv(batch: Batch, op: atlas.PhaseAdvOp, args: list[Any], mask: Array) -> Sequence[Array]:
    active = np.flatnonzero(mask)
    step = view(batch.select(args[0], active), U32).astype(np.int64)
    batch.state.phase[active] = (batch.state.phase[active] + step) % PHASE_MODULUS
    return ()


@LANES.on(atlas.PhaseReadOp)
def phase_read(batch: Batch, op: atlas.PhaseReadOp, args: list[Any], mask: Array) -> Sequence[Array]:
    active = np.flatnonzero(mask)
    return (batch.spread(batch.state.class_phase[active, _classes(batch, op, args[0], active)], active),)


@LANES.on(atlas.PhaseWriteOp)
def phase_write(batch: Batch, op: atlas.PhaseWriteOp, args: list[Any], mask: Array) -> Sequence[Array]:
    active = np.flatnonzero(mask)
    batch.state.class_phase[active, _classes(batch, op, args[0], active)] = batch.select(args[1], active)
    return ()


@LANES.on(atlas.ResAccumOp)
def res_accum(batch: Batch, op: atlas.ResAccumOp, args: list[Any], mask: Array) -> Sequence[Array]:
    active = np.flatnonzero(mask)
    classes = _classes(batch, op, args[0], active)
    values = _fixed(batch, op, args[1], active)
    for lane, number, value in zip(active.tolist(), classes.tolist(), values, strict=True):
        batch.state.total[lane] += value
        batch.state.run.sums[number] += value
    return ()


@LANES.on(atlas.UnityTestOp)
def unity_test(batch: Batch, op: atlas.UnityTestOp, args: list[Any], mask: Array) -> Sequence[Array]:
    active = np.flatnonzero(mask)
    totals = batch.state.total[active].tolist()
    pairs = zip(totals, _fixed(batch, op, args[0], active), strict=True)
    return (batch.spread(np.array([abs(resonance.wrapped(total)) < eps for total, eps in pairs], np.bool_), active),)
