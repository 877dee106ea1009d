"""The binary cross entropy of logits, which loses nothing where probabilities would be 0 or 1."""

import hologram
from hologram.language import Array

from ..losses import LOGIT, T, loss, loss_of_chunk


@hologram.kernel(lanes="128", block=128, where=("pred.shape[0] == target.shape[0]", "out.shape[0] == 1"))
def binary_cross_entropy_logits(pred: Array[T], target: Array[T], out: Array[T]):
    """out[0] = sum(max(pred, 0) - pred * target + log1p(exp(-abs(pred)))) / n

    `binary_cross_entropy` of sigmoid(pred). One block sums all. No elements give NaN.

    Shapes: pred and target have one length, (n,); out has (1,).
    Types: f32, f64, f16, bf16; f16 and bf16 are summed in f32.
    Source: core.md, `ops::loss::binary_cross_entropy`; the order of sums in isa.md section 3.
    """
    loss(out, pred, target, LOGIT)


@hologram.kernel(
    lanes="(len(pred) + 4095) // 4096 * 128",
    block=128,
    where=("pred.shape[0] == target.shape[0]", "sums.shape[0] == (pred.shape[0] + 4095) // 4096"),
)
def binary_cross_entropy_logits_chunks(pred: Array[T], target: Array[T], sums: Array[T.wide]):
    """sums[c] = the terms of `binary_cross_entropy_logits` over chunk c, the elements from 4096 c up to 4096 (c + 1)

    For long arrays: a block a chunk. `mean_of_chunks(sums, n, out)` then gives the bits of the other kernel.

    Shapes: pred and target have one length, (n,); sums has ((n + 4095) // 4096,).
    Types: f32, f64, f16, bf16; sums are f32, and f64 for f64.
    Source: core.md, `ops::loss::binary_cross_entropy`; the order of sums in isa.md section 3.
    """
    loss_of_chunk(sums, pred, target, LOGIT)
