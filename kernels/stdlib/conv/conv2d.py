"""Convolution of images."""

import hologram
from hologram.language import Array, Element, block_id, i64, lane_id, local, shared

from ..blocks import quotient
from ..convolutions import convolve
from ..products import DEPTH, SIDE

T = Element("T", "f32", "f64", "f16", "bf16")


def add_bias(total, bias, first, limit):
    """Adds to what the lane has what each filter has."""
    for r in range(4):
        place = first + lane_id() // 16 + 16 * r
        if place < limit:
            for c in range(4):
                total[r, c] += bias[place]


def store(out, total, image, first, limit, left):
    """Stores what the lane has."""
    for c in range(4):
        pixel = left + lane_id() % 16 + 16 * c
        y = quotient(pixel, out.shape[3])
        x = pixel - y * out.shape[3]
        for r in range(4):
            place = first + lane_id() // 16 + 16 * r
            if place < limit and y < out.shape[2]:
                out[image, place, y, x] = T(total[r, c])


def convolution(a, b, total, images, w, bias, out, stride_y, stride_x, pad_y, pad_x, down, right, groups, BIAS):
    """Compute and store the block's part of a convolution; `bias` is read where BIAS is 1."""
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
    start = group * each + first
    limit = (group + 1) * each
    convolve(
        a, b, total, images, w, out, image, group, start, limit, left,
        stride_y, stride_x, pad_y, pad_x, down, right, 0, 0,
    )  # fmt: skip
    if BIAS:
        add_bias(total, bias, start, limit)
    store(out, total, image, start, limit, left)


@hologram.kernel(
    lanes="out.shape[0] * max(groups, 1) * ((w.shape[0] // max(groups, 1) + 63) // 64)"
    " * ((out.shape[2] * out.shape[3] + 63) // 64) * 256",
    where=("images.shape[0] == out.shape[0]", "w.shape[0] == out.shape[1]", "images.shape[1] == w.shape[1] * groups"),
)
def conv2d(
    images: Array[T, 4],
    w: Array[T, 4],
    out: Array[T, 4],
    stride_y: i64,
    stride_x: i64,
    pad_y: i64,
    pad_x: i64,
    down: i64,
    right: i64,
    groups: i64,
):
    """out[n, o, i, j] = sum(images[n, c, i * stride_y + k * down - pad_y, j * stride_x + l * right - pad_x]
    * w[o, c, k, l])

    The sum is over c, k and l; images are 0 outside. down and right are the dilation. Filters and channels are cut into
    `groups` equal parts, and each filter sees the channels of its own. The sum runs by tiles in shared memory, over
    blocks of 64 filters at 64 pixels, in any order.

    Shapes: images are (batch, channels, height, width), w (filters, channels / groups, rows, columns), out
        (batch, filters, (height + 2 pad_y - down (rows - 1) - 1) // stride_y + 1, the same of the width).
    Types: f32, f64, f16, bf16; f16 and bf16 are summed in f32 and rounded once.
    Source: backends.md, `ComplexExtension::Conv2D`; isa.md section 3, `conv2d`.
    """
    a = shared(T.wide, DEPTH, SIDE + 1)
    b = shared(T.wide, DEPTH, SIDE + 1)
    total = local(T.wide, 4, 4)
    convolution(a, b, total, images, w, out, out, stride_y, stride_x, pad_y, pad_x, down, right, groups, 0)


@hologram.kernel(
    lanes="out.shape[0] * max(groups, 1) * ((w.shape[0] // max(groups, 1) + 63) // 64)"
    " * ((out.shape[2] * out.shape[3] + 63) // 64) * 256",
    where=(
        "images.shape[0] == out.shape[0]",
        "w.shape[0] == out.shape[1]",
        "images.shape[1] == w.shape[1] * groups",
        "bias.shape[0] == w.shape[0]",
    ),
)
def conv2d_bias(
    images: Array[T, 4],
    w: Array[T, 4],
    bias: Array[T],
    out: Array[T, 4],
    stride_y: i64,
    stride_x: i64,
    pad_y: i64,
    pad_x: i64,
    down: i64,
    right: i64,
    groups: i64,
):
    """out[n, o, i, j] = sum(images[n, c, i * stride_y + k * down - pad_y, j * stride_x + l * right - pad_x]
    * w[o, c, k, l]) + bias[o]

    The sum is over c, k and l; images are 0 outside. down and right are the dilation. Filters and channels are cut into
    `groups` equal parts, and each filter sees the channels of its own. The sum runs by tiles in shared memory, over
    blocks of 64 filters at 64 pixels, in any order.

    Shapes: images are (batch, channels, height, width), w (filters, channels / groups, rows, columns), bias (filters,),
        out (batch, filters, (height + 2 pad_y - down (rows - 1) - 1) // stride_y + 1, the same of the width).
    Types: f32, f64, f16, bf16; f16 and bf16 are summed in f32 and rounded once.
    Source: backends.md, `ComplexExtension::Conv2D`; isa.md section 3, `conv2d`.
    """
    a = shared(T.wide, DEPTH, SIDE + 1)
    b = shared(T.wide, DEPTH, SIDE + 1)
    total = local(T.wide, 4, 4)
    convolution(a, b, total, images, w, bias, out, stride_y, stride_x, pad_y, pad_x, down, right, groups, 1)
