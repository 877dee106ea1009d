"""What executes the array-level extensions, family by family.

The reference of the collectives on one device.

The reference of the Fourier transform: numpy's in complex128, rounded once.

The reference of convolution and attention: float64 for all floats, rounded once.

The reference of the normalisations: the formula of isa.md section 3, instruction by instruction.

The reference of the products made of gemm.

The reference of rotary positions and the cache of keys and values.

The reference of the sparse product: row by row, floats in float64 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from hologram.dialects.atlas.arrays import (
    attention,
    collectives,
    convolution,
    fourier,
    norms,
    products,
    sequences,
    sparse,
)
from hologram.dialects.atlas.arrays.extension import flag
from hologram.dialects.atlas.arrays.general import Kind
from hologram.dialects.atlas.instructions import reference
from hologram.dialects.atlas.instructions.reference import converted as convert
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS
from hologram.dialects.atlas.instructions.storage import storage, view
from hologram.dialects.atlas.instructions.types import DTYPES, DType, widened
from hologram.errors import InputError, where_of
from hologram.interpreter import functions
from hologram.interpreter.core import traps
from hologram.interpreter.core.machine import Handler
from hologram.interpreter.core.reduction import combine
from hologram.interpreter.core.values import Array, isa_type
from hologram.interpreter.search import SEARCH, extension_form


def _all_reduce(op: collectives.AllReduceOp, x: Array) -> Array:
    return x.copy()


def _all_gather(op: collectives.AllGatherOp, x: Array) -> Array:
    return x[None].copy()


COLLECTIVES: dict[type[Operation], Handler] = {
    collectives.AllReduceOp: extension_form(_all_reduce),
    collectives.AllGatherOp: extension_form(_all_gather),
}
"""What executes each of them."""


def _fft(op: fourier.FftOp, x: Array) -> Array:
    wide = x.astype(np.float64)
    with np.errstate(all="ignore"):
        numbers = wide[..., 0] + 1j * wide[..., 1]
        found = (np.fft.ifft if op.is_inverse else np.fft.fft)(numbers, axis=-1) if numbers.size else numbers
        return reference.narrow(isa_type(op.ins[0].type), np.stack([found.real, found.imag], axis=-1))


FOURIER: dict[type[Operation], Handler] = {fourier.FftOp: extension_form(_fft)}
"""What executes it."""


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


def _turned(op: products.ProductOp, a: Array, b: Array) -> tuple[Array, Array]:
    """The matrices after their transposes."""
    x, y = (v.swapaxes(-1, -2) if flag(f) else v for v, f in zip((a, b), (op.trans_a, op.trans_b), strict=True))
    return x, y


def _gemm(op: products.BatchedGemmOp | products.MixedPrecisionGemmOp, a: Array, b: Array, c: Array | None) -> Array:
    alpha, beta = (1.0 if s is None else s.value.data for s in (op.alpha, op.beta))
    return functions.gemm(isa_type(op.outs[0].type), *_turned(op, a, b), c, alpha, beta)


def _batched_gemm(op: products.BatchedGemmOp, a: Array, b: Array, c: Array | None = None) -> Array:
    return _gemm(op, a, b, c)


def _mixed_precision_gemm(op: products.MixedPrecisionGemmOp, a: Array, b: Array, c: Array | None = None) -> Array:
    return _gemm(op, a, b, c)


def _quantized_gemm(op: products.QuantizedGemmOp, a: Array, b: Array) -> Array:
    """The sums modulo 2^32, then the scale."""
    a, b = (view(v, t.dtype).astype(np.int64) for v, t in zip((a, b), op.types, strict=True))
    x, y = _turned(op, a, b)
    i32, f32, stored = DTYPES["i32"], DTYPES["f32"], isa_type(op.outs[0].type)
    total = storage(reference.wrap(i32, x @ y), i32)
    if stored is i32:
        return total
    with np.errstate(all="ignore"):
        scaled = convert(i32, f32, total) * np.float32(op.scale)
    return scaled if stored is f32 else convert(f32, op.type.dtype, np.rint(scaled))


def _tensor_contract(op: products.TensorContractOp, a: Array, b: Array) -> Array:
    """Every element in float64 (integers in Python's), rounded once."""
    dtype = isa_type(op.outs[0].type)
    wide = np.float64 if dtype.is_float else object
    with np.errstate(all="ignore"):
        total = np.tensordot(a.astype(wide), b.astype(wide), op.contracted)
        return reference.narrow(dtype, total) if dtype.is_float else storage(reference.wrap(dtype, total), dtype)


PRODUCTS: dict[type[Operation], Handler] = {
    products.BatchedGemmOp: extension_form(_batched_gemm),
    products.MixedPrecisionGemmOp: extension_form(_mixed_precision_gemm),
    products.QuantizedGemmOp: extension_form(_quantized_gemm),
    products.TensorContractOp: extension_form(_tensor_contract),
}
"""What executes each of them."""


def _rope(op: sequences.RopeOp, x: Array, angles: Array) -> Array:
    """Instruction by instruction."""
    dtype = isa_type(op.ins[0].type)
    work = widened(dtype)
    if x.shape[-1] != 2 * angles.shape[-1]:
        raise traps.assertion(op, "the vectors must have two elements for each angle")

    def run(name: str, *values: Array) -> Array:
        return INSTRUCTIONS[name].INSTRUCTION.evaluate(work, *values)

    wide, angle, half = convert(dtype, work, x), convert(dtype, work, angles)[:, None, :], angles.shape[-1]
    pair = (slice(0, half), slice(half, None)) if op.has_halves else (slice(0, None, 2), slice(1, None, 2))
    a, b = (wide[..., part] for part in pair)
    cosine, sine = run("cos", angle), run("sin", angle)
    out = np.empty_like(wide)
    out[..., pair[0]] = run("sub", run("mul", a, cosine), run("mul", b, sine))
    out[..., pair[1]] = run("add", run("mul", a, sine), run("mul", b, cosine))
    return convert(work, dtype, out)


def _kv_cache_update(op: sequences.KvCacheUpdateOp, cache: Array, new: Array, position: Array) -> Array:
    start, rows = int(position), new.shape[-2]
    if not 0 <= start <= cache.shape[-2] - rows:
        raise traps.assertion(op, "the new rows must lie inside of the cache")
    out = cache.copy()
    out[..., start : start + rows, :] = new
    return out


SEQUENCES: dict[type[Operation], Handler] = {
    sequences.RopeOp: extension_form(_rope),
    sequences.KvCacheUpdateOp: extension_form(_kv_cache_update),
}
"""What executes each of them."""


def _sparse_gemm(op: sparse.SparseGemmOp, values: Array, indices: Array, starts: Array, b: Array) -> Array:
    dtype = isa_type(op.ins[0].type)
    wide = np.float64 if dtype.is_float else object
    if not len(starts):
        raise traps.assertion(op, "there must be one row start more than rows of the out")
    out = np.zeros((len(starts) - 1, b.shape[1]), wide)
    with np.errstate(all="ignore"):
        for row, (start, end) in enumerate(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
            if not 0 <= start <= end <= len(values):
                raise traps.assertion(op, "row starts must ascend and end inside of the values")
            for p in range(start, end):
                index = int(indices[p])
                if not 0 <= index < len(b):
                    raise traps.gather_index(op, (p,), index, len(b))
                out[row] += values[p : p + 1].astype(wide)[0] * b[index].astype(wide)
        return reference.narrow(dtype, out) if dtype.is_float else storage(reference.wrap(dtype, out), dtype)


SPARSE: dict[type[Operation], Handler] = {sparse.SparseGemmOp: extension_form(_sparse_gemm)}
"""What executes it."""


EXTENSIONS: dict[type[Operation], Handler] = {
    **SEARCH,
    **NORMS,
    **PRODUCTS,
    **NETWORKS,
    **FOURIER,
    **SPARSE,
    **SEQUENCES,
    **COLLECTIVES,
}
