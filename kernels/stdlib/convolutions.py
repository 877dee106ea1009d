"""Functions for convolutions: a product of filters with the patches of images that they see, by tiles.

What is summed over counts the channels of a group, the rows and the columns of a filter, the last ones fastest. Of the
tiles of `products` one holds filters, the other the patches of neighbouring pixels, which are read where they lie.
"""

# Functions of kernels are typed by their calls, which type checkers do not know.
# pyright: basic

from hologram.language import lane_id

from .blocks import quotient
from .products import DEPTH, SIDE, clear, multiply_tiles


def load_filters(tile, w, first, limit, depth, offset):
    """tile[k, i] = the element depth + k of filter first + i, minus offset; 0 beyond filter `limit` and the end."""
    window = w.shape[2] * w.shape[3]
    k = depth + lane_id() % DEPTH
    channel = quotient(k, window)
    y = quotient(k - channel * window, w.shape[3])
    x = k - channel * window - y * w.shape[3]
    for step in range(4):
        i = lane_id() // DEPTH + 16 * step
        inside = first + i < limit and channel < w.shape[1]
        tile[lane_id() % DEPTH, i] = w[first + i, channel, y, x] - offset if inside else 0


def load_patches(tile, images, w, image, channels, top, left, down, right, depth, offset):
    """tile[k, j] = what element depth + k of a filter meets at the lane's pixel, minus offset; 0 outside of the image.

    `channels` is the first channel of the group, `top` and `left` are the place that the first element meets, `down`
    and `right` the steps from one row or column of the filter to the next.
    """
    window = w.shape[2] * w.shape[3]
    for step in range(4):
        k = depth + lane_id() // SIDE + 4 * step
        channel = quotient(k, window)
        row = quotient(k - channel * window, w.shape[3])
        column = k - channel * window - row * w.shape[3]
        y = top + row * down
        x = left + column * right
        inside = channel < w.shape[1] and y >= 0 and y < images.shape[2] and x >= 0 and x < images.shape[3]
        value = images[image, channels + channel, y, x] - offset if inside else 0
        tile[lane_id() // SIDE + 4 * step, lane_id() % SIDE] = value


def convolve(
    a, b, total, images, w, out, image, group, first, limit, pixel,
    stride_y, stride_x, pad_y, pad_x, down, right, image_offset, filter_offset,
):  # fmt: skip
    """total = what the lane has of 64 filters, from `first` up to `limit`, at the 64 pixels of out from `pixel` on."""
    clear(total)
    # The pixel whose patch the lane loads; those beyond the last one are loaded as it.
    mine = min(pixel + lane_id() % SIDE, out.shape[2] * out.shape[3] - 1)
    y = quotient(mine, out.shape[3])
    x = mine - y * out.shape[3]
    top = y * stride_y - pad_y
    left = x * stride_x - pad_x
    for depth in range(0, w.shape[1] * w.shape[2] * w.shape[3], DEPTH):
        load_filters(a, w, first, limit, depth, filter_offset)
        load_patches(b, images, w, image, group * w.shape[1], top, left, down, right, depth, image_offset)
        multiply_tiles(a, b, total)
