"""Products: of a vector, and of rows."""

import hologram
from hologram.language import Array, barrier, block_id, lane_id, shared

from ..blocks import CHUNK, LANES, T, chunks, element


def multiply_chunk(part, tree, chunk, value):
    """Multiplies what the lanes have of a chunk into the tree, as `keep_chunk` of blocks.py adds."""
    lane = lane_id()
    part[lane] = value
    barrier()
    for step in range(7):
        width = 64 >> step
        if lane < width:
            part[lane] *= part[lane + width]
        barrier()
    if lane == 0:
        total = part[0]
        level = 0
        rest = chunk
        while rest & 1 == 1:
            total = tree[level] * total
            level += 1
            rest = rest >> 1
        tree[level] = total
    barrier()


def product_of_chunks(tree, count):
    """The product of a tree of so many chunks."""
    level = 0
    rest = count
    while rest & 1 == 0:
        level += 1
        rest = rest >> 1
    total = tree[level]
    while rest > 1:
        level += 1
        rest = rest >> 1
        if rest & 1 == 1:
            total = tree[level] * total
    return total


def product_of_row(x, row, ROWS):
    """Return the product of a row of x, or of the vector x where ROWS is 0, in the type of products."""
    part = shared(T.wide, LANES)
    tree = shared(T.wide, 48)
    lane = lane_id()
    n = x.shape[ROWS]
    for chunk in range(chunks(n)):
        first = chunk * CHUNK
        count = min(n - first, CHUNK)
        total = T.wide(1)
        for step in range(count >> 7):
            total *= element(x, row, first + step * LANES + lane, ROWS)
        if lane < count & 127:
            total *= element(x, row, first + (count >> 7) * LANES + lane, ROWS)
        multiply_chunk(part, tree, chunk, total)
    return product_of_chunks(tree, chunks(n))


@hologram.kernel(lanes="128", block=128, where="out.shape[0] == 1")
def reduce_product(x: Array[T], out: Array[T]):
    """out[0] = the product of x[i] over i

    In the order of the ISA, so that exact devices give equal bits; f16 and bf16 are multiplied in f32.

    Shapes: x: (n,), out: (1,). The product of nothing is 1.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits, which wrap.
    Source: backends.md, `ReduceMul`; isa.md section 3, `parallel_reduce`.
    """
    product = product_of_row(x, 0, 0)
    if lane_id() == 0:
        out[0] = T(product)


@hologram.kernel(lanes="x.shape[0] * 128", block=128, where="x.shape[0] == out.shape[0]")
def reduce_product_rows(x: Array[T, 2], out: Array[T]):
    """out[i] = the product of x[i, j] over j

    In the order of the ISA; f16 and bf16 are multiplied in f32. A block multiplies a row.

    Shapes: x: (m, n), out: (m,). The product of nothing is 1.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits, which wrap.
    Source: backends.md, `ReduceMul`; isa.md section 3, `reduce` over the last axis.
    """
    row = block_id()
    product = product_of_row(x, row, 1)
    if lane_id() == 0:
        out[row] = T(product)
