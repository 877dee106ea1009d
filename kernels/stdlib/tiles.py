"""What matrix products of the library share: a block of 16 by 16 lanes makes 64 by 64 sums, 16 products at a time.

Tiles of both factors lie in shared memory, `left = shared(f32, 16, 64)` with left[k, i] and `right = shared(f32, 16,
64)` with right[k, j]. A lane has 4 by 4 sums, `sums = local(f32, 4, 4)`: those at rows y, y + 16, y + 32, y + 48 and
columns x, x + 16, ... of the block, so that neighbours read neighbouring elements of `right`, and store them together.
"""

# Functions of kernels are typed by their calls, which type checkers do not know.
# pyright: basic

from hologram.language import barrier, fma, lane_id

TILE = 64
DEPTH = 16
STEP = 16


def clear(sums, zero):
    """Sets the sums of a lane to 0."""
    for i in range(4):
        for j in range(4):
            sums[i, j] = zero


def multiply(left, right, sums):
    """Adds the products of two tiles to the sums, when all lanes have stored their parts of the tiles."""
    barrier()
    x = lane_id()
    y = lane_id(1)
    for k in range(DEPTH):
        for i in range(4):
            for j in range(4):
                sums[i, j] = fma(left[k, y + STEP * i], right[k, x + STEP * j], sums[i, j])
    barrier()
