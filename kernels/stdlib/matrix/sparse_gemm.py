"""The product of a sparse matrix (CSR) and a dense one."""

import hologram
from hologram.language import Array, Element, get_global_id, muladd

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")
Index = Element("Index", "i32", "i64")


@hologram.kernel(
    lanes=("c.shape[1]", "c.shape[0]"),
    block=(32, 8),
    where=(
        "values.shape[0] == indices.shape[0]",
        "pointers.shape[0] == c.shape[0] + 1",
        "b.shape[1] == c.shape[1]",
    ),
)
def sparse_gemm(values: Array[T], indices: Array[Index], pointers: Array[Index], b: Array[T, 2], c: Array[T, 2]):
    """c[i, j] = the sum of values[p] * b[indices[p], j] over p from pointers[i] to pointers[i + 1] - 1

    The elements of row i of the sparse matrix are values[p], in the columns indices[p]. f16 and bf16 are multiplied and
    added in f32. Neighbouring lanes take neighbouring columns of b. A column that b has no row for ends the launch.

    Shapes: values and indices: (number of elements,), pointers: (m + 1,), b: (k, n), c: (m, n).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits, which wrap; indices and pointers are i32 or i64.
    Source: backends.md, `SparseGEMM`; isa.md section 3: a tolerance, not bits.
    """
    j = get_global_id(0)
    i = get_global_id(1)
    if i < c.shape[0] and j < c.shape[1]:
        total = T.wide(0)
        for p in range(pointers[i], pointers[i + 1]):
            total = muladd(T.wide(values[p]), T.wide(b[indices[p], j]), total)
        c[i, j] = T(total)
