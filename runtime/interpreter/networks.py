"""The reference of convolution and attention: float64 for all floats, rounded once."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation

from hologram.dialects.atlas import attention, convolution, reference
from hologram.dialects.atlas.instruction import storage
from hologram.dialects.atlas.types import DType
from hologram.errors import InputError, where_of
from hologram.runtime.interpreter.machine import Handler
from hologram.runtime.interpreter.search import extension_form
from hologram.runtime.interpreter.values import Array, isa_type


def _narrow(dtype: DType, total: Array) -> Array:
    if dtype.is_float:
        return reference.narrow(dtype, total)
    return storage(reference.wrap(dtype, total), dtype)


def _conv2d(op: convolution.Conv2dOp, x: Array, w: Array, bias: Array | None = None) -> Array:
    """A sum over the places of the kernel."""
    dtype = isa_type(op.outs[0].type)
    wide = np.float64 if dtype.is_float else object
    groups, (top, left, bottom, right) = op.group_count, op.pads
    if x.shape[1] != w.shape[1] * groups or w.shape[0] % groups:
        raise InputError(
            "interpreter-conv-groups",
            f"{x.shape[1]} channels and {w.shape[0]} filters of {w.shape[1]} do not make {groups} groups",
            where=where_of(op),
        )
    # np.pad would put numpy's zeros among Python's integers.
    image = np.zeros((*x.shape[:2], x.shape[2] + top + bottom, x.shape[3] + left + right), wide)
    image[:, :, top : top + x.shape[2], left : left + x.shape[3]] = x
    height, width = (op.out_size(axis, x.shape[axis + 2], w.shape[axis + 2]) for axis in (0, 1))
    total = np.zeros((x.shape[0], groups, w.shape[0] // groups, height, width), wide)
    parts = image.reshape(x.shape[0], groups, w.shape[1], *image.shape[2:])
    filters = w.astype(wide).reshape(groups, w.shape[0] // groups, *w.shape[1:])
    (down, across), (dy, dx) = op.steps, op.spread
    with np.errstate(all="ignore"):
        for k, m in np.ndindex(w.shape[2], w.shape[3]) if height and width else ():
            seen = parts[..., k * dy : k * dy + (height - 1) * down + 1 : down, :]
            seen = seen[..., m * dx : m * dx + (width - 1) * across + 1 : across]
            total += (seen[:, :, None] * filters[None, ..., k, m, None, None]).sum(axis=3)
        result = total.reshape(x.shape[0], w.shape[0], height, width)
        return _narrow(dtype, result if bias is None else result + bias.astype(wide)[:, None, None])


def _attention(op: attention.AttendOp, q: Array, k: Array, v: Array, mask: Array | None = None) -> Array:
    """softmax(scale * q k^T + mask) v."""
    dtype = isa_type(op.outs[0].type)
    wide = (x.astype(np.float64) for x in (q, k, v))
    with np.errstate(all="ignore"):
        x, y, z = wide
        scale = np.sqrt(1.0 / max(q.shape[-1], 1)) if op.scale is None else op.scale.value.data
        scores = scale * (x @ y.swapaxes(-1, -2))
        if mask is not None:
            scores = scores + mask.astype(np.float64)
        queries, keys = scores.shape[-2:]
        if op.is_causal:
            scores = np.where(np.tri(queries, keys, keys - queries, dtype=np.bool_), scores, -np.inf)
        if keys == 0:
            return np.zeros((*q.shape[:-1], v.shape[-1]), dtype.numpy)
        e = np.exp(scores - scores.max(-1, keepdims=True))
        return reference.narrow(dtype, (e / e.sum(-1, keepdims=True)) @ z)


NETWORKS: dict[type[Operation], Handler] = {
    convolution.Conv2dOp: extension_form(_conv2d),
    attention.AttentionOp: extension_form(_attention),
    attention.FlashAttentionOp: extension_form(_attention),
}
"""What executes each of them."""
