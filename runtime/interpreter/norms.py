"""The reference of the normalisations: the formula of isa.md section 3, instruction by instruction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from hologram.dialects.atlas import norms
from hologram.dialects.atlas.arrays import Kind
from hologram.dialects.atlas.scalar import INSTRUCTIONS
from hologram.dialects.atlas.types import DType, widened
from hologram.runtime.interpreter import traps
from hologram.runtime.interpreter.machine import Handler
from hologram.runtime.interpreter.reduction import combine
from hologram.runtime.interpreter.scalars import convert
from hologram.runtime.interpreter.search import extension_form
from hologram.runtime.interpreter.values import Array, isa_type


def _run(name: str, dtype: DType, *values: Array) -> Array:
    return INSTRUCTIONS[name].INSTRUCTION.evaluate(dtype, *values)


def _number(value: float, dtype: DType) -> Array:
    return np.asarray(value).astype(dtype.numpy)


def _statistics(dtype: DType, x: Array) -> tuple[Array, Array]:
    """mu and v over the last axis, which they keep with size 1."""
    count = _number(x.shape[-1], dtype)
    mean = _run("div", dtype, combine(Kind.add, dtype, x), count)[..., None]
    d = _run("sub", dtype, x, mean)
    return mean, _run("div", dtype, combine(Kind.add, dtype, _run("mul", dtype, d, d)), count)[..., None]


def _scaled(dtype: DType, x: Array, mean: Array, variance: Array, eps: float, weights: Sequence[Array]) -> Array:
    deviation = _run("sqrt", dtype, _run("add", dtype, variance, _number(eps, dtype)))
    unit = _run("div", dtype, _run("sub", dtype, x, mean), deviation)
    return _run("add", dtype, _run("mul", dtype, unit, weights[0]), weights[1])


def _types(op: norms.LayerNormOp | norms.BatchNormOp | norms.GroupNormOp) -> tuple[DType, DType]:
    """The type of the elements, and the one they are computed in."""
    dtype = isa_type(op.ins[0].type)
    return dtype, widened(dtype)


def _layer_norm(op: norms.LayerNormOp, *ins: Array) -> Array:
    dtype, work = _types(op)
    x, *weights = (convert(dtype, work, v) for v in ins)
    outer = x.shape[: x.ndim - weights[0].ndim]
    rows = x.reshape(*outer, weights[0].size)
    result = _scaled(work, rows, *_statistics(work, rows), op.eps.value.data, [w.reshape(-1) for w in weights])
    return convert(work, dtype, result.reshape(x.shape))


def _batch_norm(op: norms.BatchNormOp, *ins: Array) -> Array:
    dtype, work = _types(op)
    x, gamma, beta, *given = (convert(dtype, work, v) for v in ins)
    moved = np.moveaxis(x, 1, 0)
    rows = moved.reshape(x.shape[1], -1)
    mean, variance = (v[:, None] for v in given) if given else _statistics(work, rows)
    result = _scaled(work, rows, mean, variance, op.eps.value.data, [gamma[:, None], beta[:, None]])
    return convert(work, dtype, np.moveaxis(result.reshape(moved.shape), 0, 1))


def _group_norm(op: norms.GroupNormOp, *ins: Array) -> Array:
    dtype, work = _types(op)
    x, gamma, beta = (convert(dtype, work, v) for v in ins)
    groups = op.groups.value.data
    if x.shape[1] % groups:
        raise traps.assertion(op, "the channels do not make equal groups")
    places = int(np.prod(x.shape[2:], dtype=np.int64))
    part = x.shape[1] // groups
    rows = x.reshape(x.shape[0], groups, part * places)
    weights = [np.repeat(w.reshape(groups, part), places, axis=1) for w in (gamma, beta)]
    result = _scaled(work, rows, *_statistics(work, rows), op.eps.value.data, weights)
    return convert(work, dtype, result.reshape(x.shape))


def _layer_scale(op: norms.LayerScaleOp, x: Array, scale: Array) -> Array:
    return _run("mul", isa_type(op.outs[0].type), x, scale)


NORMS: dict[type[Operation], Handler] = {
    norms.LayerNormOp: extension_form(_layer_norm),
    norms.BatchNormOp: extension_form(_batch_norm),
    norms.GroupNormOp: extension_form(_group_norm),
    norms.LayerScaleOp: extension_form(_layer_scale),
}
"""What executes each of them."""
