"""The cross entropy of two distributions."""

import hologram
from hologram.language import Array

from ..losses import DISTRIBUTION, T, loss, loss_of_chunk


@hologram.kernel(lanes="128", block=128, where=("pred.shape[0] == target.shape[0]", "out.shape[0] == 1"))
def cross_entropy(pred: Array[T], target: Array[T], out: Array[T]):
    """out[0] = -sum(target * log(pred))

    Both are probabilities; where target is 0 nothing is added, whatever pred is. One block sums all.

    Shapes: pred and target have one length, (n,); out has (1,).
    Types: f32, f64, f16, bf16; f16 and bf16 are summed in f32.
    Source: core.md, `ops::loss::cross_entropy`; the order of sums in isa.md section 3.
    """
    loss(out, pred, target, DISTRIBUTION)


@hologram.kernel(
    lanes="(len(pred) + 4095) // 4096 * 128",
    block=128,
    where=("pred.shape[0] == target.shape[0]", "sums.shape[0] == (pred.shape[0] + 4095) // 4096"),
)
def cross_entropy_chunks(pred: Array[T], target: Array[T], sums: Array[T.wide]):
    """sums[c] = the terms of `cross_entropy` over chunk c, the elements from 4096 c up to 4096 (c + 1)

    For long arrays: a block a chunk. `mean_of_chunks(sums, 1, out)` then gives the bits of the other kernel.

    Shapes: pred and target have one length, (n,); sums has ((n + 4095) // 4096,).
    Types: f32, f64, f16, bf16; sums are f32, and f64 for f64.
    Source: core.md, `ops::loss::cross_entropy`; the order of sums in isa.md section 3.
    """
    loss_of_chunk(sums, pred, target, DISTRIBUTION)
