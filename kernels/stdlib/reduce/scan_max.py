"""Running greatest elements, of rows; a vector is one row."""

import hologram
from hologram.language import Array, Constant

from ..folds import GREATEST, T, scan


@hologram.kernel(lanes="x.shape[0] * 256", block=256, where=("x.shape[0] == y.shape[0]", "x.shape[1] == y.shape[1]"))
def scan_max(x: Array[T, 2], y: Array[T, 2], EXCLUSIVE: Constant = 0):
    """y[i, j] = the greatest of x[i, 0] to x[i, j]; to x[i, j - 1] where EXCLUSIVE is 1

    A block goes along a row, 256 elements at a time. NaN is left out.

    Shapes: x and y: (m, n). Of nothing it is -inf, of integers the least of the type.
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits.
    Source: isa.md section 3, `scan`.
    """
    scan(x, y, EXCLUSIVE, GREATEST)
