"""The CPU schedules of `atlas.rope` and `atlas.kv_cache_update`."""

from __future__ import annotations

from hologram.dialects.atlas.arrays.sequences import KvCacheUpdateOp, RopeOp
from hologram.dialects.atlas.instructions.types import widened
from hologram.lowering.rewriting.kernel_builder import Builder, dtype_in
from hologram.lowering.schedules.common.target import NoParameters, Target


def schedule_rope(b: Builder, op: RopeOp, target: Target, parameters: NoParameters) -> None:
    """The cosines and sines of all angles first, then the pairs of every vector."""
    x, angles, y = (b.rw.value(v) for v in (*op.ins, *op.outs))
    dtype = dtype_in(x)
    wide = widened(dtype)
    batch, length, heads, size = b.sizes(x)
    half = b.size(angles, 1)
    b.check_equal(b.mul(half, 2), size, "atlas.rope: the vectors must have two elements for each angle")
    cosines, sines = (b.alloc(wide.ir, [length, half]) for _ in range(2))
    with b.parallel([length], name="s") as (s,), b.loop(0, half, name="i", vector=True) as i:
        angle = b.cvt(dtype, wide, b.load(angles, [s, i]))
        b.store(b.of(wide).apply("cos", angle), cosines, [s, i])
        b.store(b.of(wide).apply("sin", angle), sines, [s, i])
    with b.parallel([batch, length, heads], name="h") as (n, s, h), b.loop(0, half, name="i", vector=True) as i:
        places = [i, b.add(i, half)] if op.has_halves else [b.mul(i, 2), b.add(b.mul(i, 2), 1)]
        p, q = (b.cvt(dtype, wide, b.load(x, [n, s, h, place])) for place in places)
        cosine, sine = b.load(cosines, [s, i]), b.load(sines, [s, i])
        t = b.of(wide)
        first = t.sub(t.mul(p, cosine), t.mul(q, sine))
        second = t.add(t.mul(p, sine), t.mul(q, cosine))
        for value, place in zip((first, second), places, strict=True):
            b.store(b.cvt(wide, dtype, value), y, [n, s, h, place])
    b.free(cosines, sines)


def schedule_kv_cache_update(b: Builder, op: KvCacheUpdateOp, target: Target, parameters: NoParameters) -> None:
    """The position is checked once; then the rows are copied."""
    cache, new, position, out = (b.rw.value(v) for v in (*op.ins, *op.outs))
    sizes, rows = b.sizes(out), b.sizes(new)[-2]
    start = b.to_index(b.load(position, []))
    capacity = sizes[-2]
    fits = b.both(b.compare("ule", start, capacity), b.compare("ule", rows, b.sub(capacity, start)))
    text = "atlas.kv_cache_update: the new rows must lie inside of the cache"
    b.check(fits, text, start, rows)
    if cache is not out:
        b.copy(cache, out, sizes)
    with b.parallel([*sizes[:-2], rows], name="i") as (*outer, row), b.loop(0, sizes[-1], name="j", vector=True) as j:
        b.store(b.load(new, [*outer, row, j]), out, [*outer, b.add(start, row), j])
