"""Attention with a running maximum, by tiles of keys in shared memory."""

from math import inf

import hologram
from hologram.language import Array, Constant, Element, barrier, block_id, exp, lane_id, local, muladd, shared

T = Element("T", "f32", "f64", "f16", "bf16")
QUERIES = 64


@hologram.kernel(
    lanes=("q.shape[1]", "q.shape[0]"),
    block=64,
    where=(
        "q.shape[0] == k.shape[0] == v.shape[0] == out.shape[0]",
        "q.shape[1] == out.shape[1]",
        "q.shape[2] == k.shape[2]",
        "k.shape[1] == v.shape[1]",
        "v.shape[2] == out.shape[2]",
    ),
)
def flash_attention(
    q: Array[T, 3],
    k: Array[T, 3],
    v: Array[T, 3],
    out: Array[T, 3],
    scale: T.wide,
    HEAD: Constant = 64,
    KEYS: Constant = 32,
    CAUSAL: Constant = 0,
):
    """out[h, i] = sum_j(exp(s[i, j] - m) * v[h, j]) / sum_j(exp(s[i, j] - m)), s = scale * q[h] k[h]^T, m = max_j(s[i])

    The value of `attention`. A lane keeps a query and its sums in registers; 64 of them share KEYS keys and values at a
    time, and what the keys before gave is scaled by the running maximum. HEAD is the most that d and e may be: more
    traps. KEYS is the block_size of the specification; shared memory holds 2 KEYS HEAD elements. CAUSAL is that of
    `attention`.

    Shapes: q is (batch * heads, s, d), k (batch * heads, t, d), v (batch * heads, t, e), out (batch * heads, s, e).
    Types: f32, f64, f16, bf16; f16 and bf16 are summed in f32 and rounded once.
    Source: backends.md, `AdvancedExtension::FlashAttention`; isa.md section 3, `flash_attention`.
    """
    lane = lane_id()
    queries = q.shape[1]
    keys = k.shape[1]
    head = block_id(1)
    top = block_id() * QUERIES
    query = top + lane
    key_tile = shared(T.wide, KEYS, HEAD)
    value_tile = shared(T.wide, KEYS, HEAD)
    mine = local(T.wide, HEAD)
    total = local(T.wide, HEAD)
    weights = local(T.wide, KEYS)
    # Lanes beyond the last query compute what it has, and store nothing.
    row = min(query, queries - 1)
    size = q.shape[2]
    if size > HEAD or v.shape[2] > HEAD:
        # Beyond the query's end, which traps: longer ones have no room.
        mine[0] = T.wide(q[head, row, size])
    for c in range(HEAD):
        mine[c] = q[head, row, c] * scale if c < size else T.wide(0)
        total[c] = 0.0
    most = T.wide(-inf)
    sum = T.wide(0)
    seen = keys
    end = keys
    if CAUSAL != 0:
        seen = min(row + 1 + keys - queries, keys)
        end = min(min(top + QUERIES, queries) + keys - queries, keys)
    for first in range(0, end, KEYS):
        for place in range(lane, KEYS * HEAD, QUERIES):
            j = place // HEAD
            c = place % HEAD
            key_tile[j, c] = T.wide(k[head, first + j, c]) if first + j < keys and c < size else T.wide(0)
            value_tile[j, c] = T.wide(v[head, first + j, c]) if first + j < keys and c < v.shape[2] else T.wide(0)
        barrier()
        peak = most
        for j in range(KEYS):
            product = T.wide(0)
            for c in range(HEAD):
                product = muladd(mine[c], key_tile[j, c], product)
            weights[j] = product if first + j < seen else T.wide(-inf)
            peak = max(peak, weights[j])
        shift = peak if peak > -inf else T.wide(0)
        factor = exp(most - shift)
        most = peak
        sum = sum * factor
        for c in range(HEAD):
            total[c] = total[c] * factor
        for j in range(KEYS):
            weight = exp(weights[j] - shift)
            sum += weight
            for c in range(HEAD):
                total[c] = muladd(weight, value_tile[j, c], total[c])
        barrier()
    if query < queries:
        for c in range(HEAD):
            if c < v.shape[2]:
                out[head, query, c] = T(total[c] / sum if keys > 0 else total[c])
