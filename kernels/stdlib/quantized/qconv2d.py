"""Convolution of quantized images."""

import hologram
from hologram.language import Array, Element, block_id, f32, i32, i64, lane_id, local, shared

from ..blocks import quotient
from ..convolutions import convolve
from ..products import DEPTH, SIDE

Q = Element("Q", "i8", "u8")


@hologram.kernel(
    lanes="out.shape[0] * max(groups, 1) * ((w.shape[0] // max(groups, 1) + 63) // 64)"
    " * ((out.shape[2] * out.shape[3] + 63) // 64) * 256",
    where=("images.shape[0] == out.shape[0]", "w.shape[0] == out.shape[1]", "images.shape[1] == w.shape[1] * groups"),
)
def qconv2d(
    images: Array[Q, 4],
    w: Array[Q, 4],
    out: Array[Q, 4],
    image_zero: i32,
    filter_zero: i32,
    zero: i32,
    factor: f32,
    stride_y: i64,
    stride_x: i64,
    pad_y: i64,
    pad_x: i64,
    down: i64,
    right: i64,
    groups: i64,
):
    """out[n, o, i, j] = saturate(round(sum((images[...] - image_zero) * (w[...] - filter_zero)) * factor) + zero)

    The sum is that of `conv2d`, one of i32 which wraps; outside of the images the difference is 0. `factor` is the
    scale of the images times that of the filters over that of out. Rounding is that of `qmatmul`.

    Shapes: Those of `conv2d`.
    Types: i8, u8; summed in i32.
    Source: core.md, `quantized_ops::qconv2d`.
    """
    each = w.shape[0] // groups
    tiles = (each + 63) // 64
    pixels = out.shape[2] * out.shape[3]
    across = (pixels + 63) // 64
    task = quotient(block_id(), across)
    left = (block_id() - task * across) * SIDE
    part = quotient(task, tiles)
    first = (task - part * tiles) * SIDE
    image = quotient(part, groups)
    group = part - image * groups
    a = shared(i32, DEPTH, SIDE + 1)
    b = shared(i32, DEPTH, SIDE + 1)
    total = local(i32, 4, 4)
    start = group * each + first
    limit = (group + 1) * each
    convolve(
        a, b, total, images, w, out, image, group, start, limit, left,
        stride_y, stride_x, pad_y, pad_x, down, right, image_zero, filter_zero,
    )  # fmt: skip
    for c in range(4):
        pixel = left + lane_id() % 16 + 16 * c
        y = quotient(pixel, out.shape[3])
        x = pixel - y * out.shape[3]
        for r in range(4):
            place = start + lane_id() // 16 + 16 * r
            if place < limit and y < out.shape[2]:
                out[image, place, y, x] = Q(round(f32(total[r, c]) * factor) + f32(zero))
