"""What kernels share that multiply matrices: tiles in shared memory, and what a lane adds up of them.

A block of 256 lanes makes 64 x 64 elements of a product, a lane 4 x 4 of them: rows lane // 16 + 16 r and columns
lane % 16 + 16 c. It takes DEPTH of what is summed over at a time, from two tiles of DEPTH x 64, whose rows have one
element more so that lanes beside each other store to different banks.
"""

# Functions of kernels are typed by their calls, which type checkers do not know.
# pyright: basic

from hologram.language import (
    Element,
    barrier,
    block_id,
    clamp,
    f32,
    greatest,
    i32,
    lane_id,
    least,
    local,
    muladd,
    round,
    shared,
)

from .blocks import T

Q = Element("Q", "i8", "u8")

DEPTH = 16
SIDE = 64

PLAIN = 0
SCALED = 1
CLAMPED = 2
SHIFTED = 3


def load_rows(tile, source, page, first, depth, offset, PAGES):
    """tile[k, i] = source[first + i, depth + k] - offset, 0 beyond the edges.

    Where PAGES is 1 the source is several matrices, of which `page` is meant.
    """
    for part in range(4):
        k = lane_id() & 15
        i = (lane_id() >> 4) + 16 * part
        inside = first + i < source.shape[PAGES] and depth + k < source.shape[PAGES + 1]
        tile[k, i] = of_page(source, page, first + i, depth + k, PAGES) - offset if inside else 0


def load_columns(tile, source, page, first, depth, offset, PAGES):
    """tile[k, i] = source[depth + k, first + i] - offset, 0 beyond the edges; of pages as `load_rows`."""
    for part in range(4):
        k = (lane_id() >> 6) + 4 * part
        i = lane_id() & 63
        inside = first + i < source.shape[PAGES + 1] and depth + k < source.shape[PAGES]
        tile[k, i] = of_page(source, page, depth + k, first + i, PAGES) - offset if inside else 0


def of_page(source, page, i, j, PAGES):
    """Return the element i, j of a matrix, or of one of several."""
    return source[page, i, j] if PAGES else source[i, j]


def clear(total):
    """0 in all that a lane has."""
    for r in range(4):
        for c in range(4):
            total[r, c] = 0


def multiply_tiles(a, b, total):
    """Adds the products of two tiles to what the lane has. Waits before, and after."""
    row = lane_id() >> 4
    column = lane_id() & 15
    barrier()
    for k in range(DEPTH):
        for r in range(4):
            for c in range(4):
                total[r, c] = muladd(a[k, row + 16 * r], b[k, column + 16 * c], total[r, c])
    barrier()


def multiply(left, right, total, a, b, a_offset, b_offset, TRANSPOSE_A, TRANSPOSE_B, PAGES_A, PAGES_B):
    """total = the lane's elements of the product of a - a_offset and b - b_offset in the block's place."""
    page = block_id(2)
    row = block_id(1) * SIDE
    column = block_id() * SIDE
    clear(total)
    for depth in range(0, a.shape[PAGES_A if TRANSPOSE_A else PAGES_A + 1], DEPTH):
        if TRANSPOSE_A:
            load_columns(left, a, page, row, depth, a_offset, PAGES_A)
        else:
            load_rows(left, a, page, row, depth, a_offset, PAGES_A)
        if TRANSPOSE_B:
            load_rows(right, b, page, column, depth, b_offset, PAGES_B)
        else:
            load_columns(right, b, page, column, depth, b_offset, PAGES_B)
        multiply_tiles(left, right, total)


def product(a, b, c, alpha, beta, TRANSPOSE_A, TRANSPOSE_B, PAGES_A, PAGES_B):
    """c = alpha a b + beta c, summed in the wide type; c has pages where a has, and is not read where beta is 0."""
    left = shared(T.wide, DEPTH, SIDE + 1)
    right = shared(T.wide, DEPTH, SIDE + 1)
    sums = local(T.wide, 4, 4)
    multiply(left, right, sums, a, b, 0, 0, TRANSPOSE_A, TRANSPOSE_B, PAGES_A, PAGES_B)
    page = block_id(2)
    for p in range(4):
        for q in range(4):
            i = block_id(1) * SIDE + (lane_id() >> 4) + 16 * p
            j = block_id() * SIDE + (lane_id() & 15) + 16 * q
            if i < c.shape[PAGES_A] and j < c.shape[PAGES_A + 1]:
                value = alpha * sums[p, q]
                if PAGES_A:
                    c[page, i, j] = T(value if beta == 0 else muladd(beta, T.wide(c[page, i, j]), value))
                else:
                    c[i, j] = T(value if beta == 0 else muladd(beta, T.wide(c[i, j]), value))


def product_of_integers(a, b, c, a_zero, b_zero, zero, factor, kind):
    """c = (a - a_zero) (b - b_zero) of integers of 8 bits, summed in i32: as it is, times a factor, or rounded."""
    left = shared(i32, DEPTH, SIDE + 1)
    right = shared(i32, DEPTH, SIDE + 1)
    sums = local(i32, 4, 4)
    multiply(left, right, sums, a, b, a_zero, b_zero, 0, 0, 0, 0)
    for p in range(4):
        for q in range(4):
            i = block_id(1) * SIDE + (lane_id() >> 4) + 16 * p
            j = block_id() * SIDE + (lane_id() & 15) + 16 * q
            if i < c.shape[0] and j < c.shape[1]:
                if kind == PLAIN:
                    c[i, j] = sums[p, q]
                elif kind == SCALED:
                    c[i, j] = f32(sums[p, q]) * factor
                elif kind == CLAMPED:
                    c[i, j] = Q(clamp(round(f32(sums[p, q]) * factor), f32(least(Q)), f32(greatest(Q))))
                else:
                    c[i, j] = Q(round(f32(sums[p, q]) * factor) + f32(zero))
