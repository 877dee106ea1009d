"""The dot product of two vectors."""

import hologram
from hologram.language import Array, lane_id, shared

from ..blocks import CHUNK, LANES, SUM, T, chunks, keep_chunk, total_of_chunks


@hologram.kernel(lanes="128", block=128, where=("a.shape[0] == b.shape[0]", "out.shape[0] == 1"))
def dot(a: Array[T], b: Array[T], out: Array[T]):
    """out[0] = the sum of a[i] * b[i] over i

    Products are rounded, and added in the order of `reduce_sum`; f16 and bf16 are computed in f32.

    Shapes: a and b: (n,), out: (1,). Of nothing it is 0.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits, which wrap.
    Source: isa.md section 3, `tensor_contract` of two vectors.
    """
    part = shared(T.wide, LANES)
    tree = shared(T.wide, 48)
    lane = lane_id()
    n = a.shape[0]
    for chunk in range(chunks(n)):
        first = chunk * CHUNK
        count = min(n - first, CHUNK)
        total = -T.wide(0)
        for step in range(count >> 7):
            i = first + step * LANES + lane
            total += T.wide(a[i]) * T.wide(b[i])
        if lane < count & 127:
            i = first + (count >> 7) * LANES + lane
            total += T.wide(a[i]) * T.wide(b[i])
        keep_chunk(part, tree, chunk, total, SUM)
    product = total_of_chunks(tree, chunks(n), SUM)
    if lane == 0:
        out[0] = T(product) if n > 0 else T(0)
