"""Attention."""

from math import inf

import hologram
from hologram.language import Array, Constant, Element, barrier, block_id, exp, lane_id, muladd, shared

from ..blocks import LANES, greatest_of_lanes

T = Element("T", "f32", "f64", "f16", "bf16")


def score(q, k, head, query, key, scale):
    """scale times the product of a query and a key."""
    total = scale * 0.0
    for c in range(q.shape[2]):
        total = muladd(q[head, query, c] * scale, k[head, key, c], total)
    return total


@hologram.kernel(
    lanes=("q.shape[1] * 128", "(v.shape[2] + 127) // 128", "q.shape[0]"),
    block=128,
    where=(
        "q.shape[0] == k.shape[0] == v.shape[0] == out.shape[0]",
        "q.shape[1] == out.shape[1]",
        "q.shape[2] == k.shape[2]",
        "k.shape[1] == v.shape[1]",
        "v.shape[2] == out.shape[2]",
    ),
)
def attention(q: Array[T, 3], k: Array[T, 3], v: Array[T, 3], out: Array[T, 3], scale: T.wide, CAUSAL: Constant = 0):
    """out[h, i] = sum_j(exp(s[i, j] - m) * v[h, j]) / sum_j(exp(s[i, j] - m)), s = scale * q[h] k[h]^T, m = max_j(s[i])

    A block takes a query and 128 columns of the out, in two passes over the keys and memory that does not grow with
    them. `scale` is 1 / sqrt(d) in most models. With CAUSAL query i sees the keys up to i + t - s. A query that sees no
    key gives NaN, and 0 where there are no keys.

    Shapes: q is (batch * heads, s, d), k (batch * heads, t, d), v (batch * heads, t, e), out (batch * heads, s, e).
    Types: f32, f64, f16, bf16; f16 and bf16 are summed in f32 and rounded once.
    Source: backends.md, `ComplexExtension::Attention`; isa.md section 3, `attention`.
    """
    lane = lane_id()
    queries = q.shape[1]
    keys = k.shape[1]
    query = block_id()
    column = block_id(1) * LANES + lane
    head = block_id(2)
    seen = keys
    if CAUSAL != 0:
        seen = max(min(query + 1 + keys - queries, keys), 0)
    part = shared(T.wide, 128)
    most = T.wide(-inf)
    for first in range(0, seen, LANES):
        if first + lane < seen:
            most = max(most, score(q, k, head, query, first + lane, scale))
    most = greatest_of_lanes(part, most)
    total = T.wide(0)
    sum = T.wide(0)
    for first in range(0, seen, LANES):
        weight = T.wide(0)
        if first + lane < seen:
            weight = exp(score(q, k, head, query, first + lane, scale) - most)
        part[lane] = weight
        barrier()
        count = min(seen - first, LANES)
        for j in range(count):
            sum += part[j]
        if column < v.shape[2]:
            for j in range(count):
                total = muladd(part[j], T.wide(v[head, first + j, column]), total)
        barrier()
    if column < v.shape[2]:
        out[head, query, column] = T(total / sum if keys > 0 else total)
