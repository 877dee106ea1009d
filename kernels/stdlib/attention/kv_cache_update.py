"""The cache of keys and values."""

import hologram
from hologram.language import Array, Element, block_id, i64, lane_id

T = Element("T", "f32", "f64", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")


@hologram.kernel(
    lanes=("rows.shape[1] * 64", "rows.shape[0]"),
    block=64,
    where=("cache.shape[0] == rows.shape[0]", "cache.shape[2] == rows.shape[2]"),
)
def kv_cache_update(cache: Array[T, 3], rows: Array[T, 3], position: i64):
    """cache[h, position + i] = rows[h, i]

    Rows that would lie outside of the cache trap.

    Shapes: cache is (batch * heads, t, d), rows (batch * heads, s, d).
    Types: f32, f64, f16, bf16, and integers.
    Source: backends.md, `AdvancedExtension::KVCacheUpdate`; isa.md section 3, `kv_cache_update`.
    """
    row = block_id()
    head = block_id(1)
    for step in range((rows.shape[2] + 63) >> 6):
        c = step * 64 + lane_id()
        if c < rows.shape[2]:
            cache[head, position + row, c] = rows[head, row, c]
