"""What both array levels compute over whole arrays in storage form: softmax, gather and the matrix product."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation

from hologram.dialects.atlas.arrays.general import Kind
from hologram.dialects.atlas.instructions import reference
from hologram.dialects.atlas.instructions.reference import converted as convert
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS
from hologram.dialects.atlas.instructions.storage import storage
from hologram.dialects.atlas.instructions.types import DType, widened
from hologram.interpreter.core import traps
from hologram.interpreter.core.reduction import combine
from hologram.interpreter.core.values import Array


def softmax(dtype: DType, elements: Array, axis: int) -> Array:
    """m = max(x), e = exp(x - m), e / sum(e), each operation rounded; types shorter than f32 are widened to it."""
    work = widened(dtype)
    x = np.moveaxis(convert(dtype, work, elements), axis, -1)
    instruction = {name: INSTRUCTIONS[name].INSTRUCTION.evaluate for name in ("sub", "exp", "div")}
    greatest = combine(Kind.max, work, x)[..., None]
    e = instruction["exp"](work, instruction["sub"](work, x, greatest))
    result = instruction["div"](work, e, combine(Kind.add, work, e)[..., None])
    return convert(work, dtype, np.moveaxis(result, -1, axis))


def gather(op: Operation, elements: Array, indices: Array, axis: int) -> Array:
    """Slices along an axis; an index outside traps."""
    size = elements.shape[axis]
    outside = (indices < 0) | (indices >= size)
    if outside.any():
        at = traps.first(outside, indices.shape)
        raise traps.gather_index(op, at, int(indices[at]), size)
    return np.take(elements, indices, axis=axis)


def matmul(dtype: DType, a: Array, b: Array) -> Array:
    """The matrix product over the last two axes: in float64, rounded once; integers exact, then wrapped."""
    if dtype.is_float:
        with np.errstate(all="ignore"):
            return reference.narrow(dtype, a.astype(np.float64) @ b.astype(np.float64))
    wide = object if dtype.bits > 64 else np.int64
    with np.errstate(all="ignore"):
        product = a.astype(wide) @ b.astype(wide)
    return storage(reference.wrap(dtype, product), dtype)


def gemm(dtype: DType, a: Array, b: Array, c: Array | None, alpha: float, beta: float) -> Array:
    """alpha * a b + beta * c; integers take the scales as integers and wrap."""
    if not dtype.is_float:
        total = matmul(dtype, a, b).astype(object) * int(alpha)
        total = total if c is None else total + c.astype(object) * int(beta)
        return storage(reference.wrap(dtype, total), dtype)
    with np.errstate(all="ignore"):
        total = alpha * (a.astype(np.float64) @ b.astype(np.float64))
        total = total if c is None else total + beta * c.astype(np.float64)
        return reference.narrow(dtype, total)
