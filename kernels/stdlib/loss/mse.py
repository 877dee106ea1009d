"""The mean squared error."""

import hologram
from hologram.language import Array

from ..losses import SQUARE, T, loss, loss_of_chunk


@hologram.kernel(lanes="128", block=128, where=("pred.shape[0] == target.shape[0]", "out.shape[0] == 1"))
def mse(pred: Array[T], target: Array[T], out: Array[T]):
    """out[0] = sum((pred - target) * (pred - target)) / n

    One block sums all: for long arrays see `mse_chunks`. No elements give NaN.

    Shapes: pred and target have one length, (n,); out has (1,).
    Types: f32, f64, f16, bf16; f16 and bf16 are summed in f32.
    Source: core.md, `ops::loss::mse`; the order of sums in isa.md section 3.
    """
    loss(out, pred, target, SQUARE)


@hologram.kernel(
    lanes="(len(pred) + 4095) // 4096 * 128",
    block=128,
    where=("pred.shape[0] == target.shape[0]", "sums.shape[0] == (pred.shape[0] + 4095) // 4096"),
)
def mse_chunks(pred: Array[T], target: Array[T], sums: Array[T.wide]):
    """sums[c] = the terms of `mse` over chunk c, the elements from 4096 c up to 4096 (c + 1)

    For long arrays: a block a chunk. `mean_of_chunks(sums, n, out)` then gives the bits of the other kernel.

    Shapes: pred and target have one length, (n,); sums has ((n + 4095) // 4096,).
    Types: f32, f64, f16, bf16; sums are f32, and f64 for f64.
    Source: core.md, `ops::loss::mse`; the order of sums in isa.md section 3.
    """
    loss_of_chunk(sums, pred, target, SQUARE)
