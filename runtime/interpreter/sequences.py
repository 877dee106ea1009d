"""The reference of rotary positions and the cache of keys and values."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation

from hologram.dialects.atlas import sequences
from hologram.dialects.atlas.scalar import INSTRUCTIONS
from hologram.dialects.atlas.types import widened
from hologram.runtime.interpreter import traps
from hologram.runtime.interpreter.machine import Handler
from hologram.runtime.interpreter.scalars import convert
from hologram.runtime.interpreter.search import extension_form
from hologram.runtime.interpreter.values import Array, isa_type


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
