"""Products: of a vector, and of rows."""

import hologram
from hologram.language import Array, block_id, lane_id

from ..blocks import PRODUCT, T, total_of_row


@hologram.kernel(lanes="128", block=128, where="out.shape[0] == 1")
def reduce_product(x: Array[T], out: Array[T]):
    """out[0] = the product of x[i] over i

    In the order of the ISA, so that exact devices give equal bits; f16 and bf16 are multiplied in f32.

    Shapes: x: (n,), out: (1,). The product of nothing is 1.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits, which wrap.
    Source: backends.md, `ReduceMul`; isa.md section 3, `parallel_reduce`.
    """
    product = total_of_row(x, 0, 0, PRODUCT)
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
    product = total_of_row(x, row, 1, PRODUCT)
    if lane_id() == 0:
        out[row] = T(product)
