"""The mean of sums of chunks."""

import hologram
from hologram.language import Array, Element, barrier, i64, lane_id, local, shared

from ..blocks import SUM, combine_tree, push

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="128", block=128, where="out.shape[0] == 1")
def mean_of_chunks(sums: Array[T.wide], n: i64, out: Array[T]):
    """out[0] = sum(sums) / n

    What the sums of chunks of a loss make together. They combine in pairs, and pairs of pairs: a lane takes as many as
    a power of two, side by side, then the lanes combine. No sums give NaN.

    Shapes: sums has (chunks,); out has (1,).
    Types: f32, f64, f16, bf16; sums are f32, and f64 for f64.
    Source: core.md, `ops::loss`; the order of sums in isa.md section 3.
    """
    lane = lane_id()
    part = shared(T.wide, 128)
    tree = local(T.wide, 48)
    count = len(sums)
    each = 1
    while each * 128 < count:
        each = each * 2
    mine = min(count - lane * each, each)
    part[lane] = T.wide(-0.0)
    if mine > 0:
        for k in range(mine):
            push(tree, k, sums[lane * each + k], SUM)
        part[lane] = combine_tree(tree, mine, SUM)
    barrier()
    for step in range(7):
        width = 1 << step
        if lane % (2 * width) == 0:
            part[lane] += part[lane + width]
        barrier()
    if lane == 0:
        out[0] = T(part[0] / T.wide(n))
