"""Rotary positions."""

import hologram
from hologram.language import Array, Constant, Element, block_id, cos, lane_id, sin

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(
    lanes=("x.shape[1] * 64", "x.shape[0]"),
    block=64,
    where=(
        "x.shape[0] == out.shape[0]",
        "x.shape[1] == out.shape[1]",
        "x.shape[2] == out.shape[2]",
        "x.shape[3] == out.shape[3]",
        "freqs.shape[0] == x.shape[1]",
        "freqs.shape[1] * 2 == x.shape[3]",
    ),
)
def rope(x: Array[T, 4], freqs: Array[T, 2], out: Array[T, 4], HALVES: Constant = 0):
    """out[p, a] = x[p, a] * cos(f) - x[p, b] * sin(f), out[p, b] = x[p, a] * sin(f) + x[p, b] * cos(f)

    Pair i of each vector turned by the angle f = freqs[s, i], in radians: a = 2 i and b = 2 i + 1, or with HALVES a = i
    and b = i + d / 2. Each operation is rounded as written. A block takes a position, a lane a pair of all heads.

    Shapes: x and out are (batch, s, heads, d), freqs (s, d / 2).
    Types: f32, f64, f16, bf16; f16 and bf16 are computed in f32 and rounded once.
    Source: backends.md, `AdvancedExtension::RoPE`; isa.md section 3, `rope`.
    """
    position = block_id()
    batch = block_id(1)
    pairs = freqs.shape[1]
    for i in range(lane_id(), pairs, 64):
        angle = T.wide(freqs[position, i])
        c = cos(angle)
        s = sin(angle)
        low = 2 * i if HALVES == 0 else i
        high = low + 1 if HALVES == 0 else i + pairs
        for head in range(x.shape[2]):
            a = T.wide(x[batch, position, head, low])
            b = T.wide(x[batch, position, head, high])
            out[batch, position, head, low] = T(a * c - b * s)
            out[batch, position, head, high] = T(a * s + b * c)
