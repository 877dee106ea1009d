"""Comparisons of two vectors, element by element."""

import hologram
from hologram.language import Array, Element, bool, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_equal(a: Array[T], b: Array[T], c: Array[bool]):
    """c[i] = a[i] == b[i]

    Of NaN it is false.

    Shapes: a, b and c have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits; c is bool.
    Source: isa.md section 3, logic, `setcc` with `eq`; section 2.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = a[i] == b[i]


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_not_equal(a: Array[T], b: Array[T], c: Array[bool]):
    """c[i] = a[i] != b[i]

    Of NaN it is true.

    Shapes: a, b and c have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits; c is bool.
    Source: isa.md section 3, logic, `setcc` with `ne`; section 2.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = a[i] != b[i]


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_less(a: Array[T], b: Array[T], c: Array[bool]):
    """c[i] = a[i] < b[i]

    Of NaN it is false.

    Shapes: a, b and c have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits; c is bool.
    Source: isa.md section 3, logic, `setcc` with `lt`; section 2.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = a[i] < b[i]


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_less_equal(a: Array[T], b: Array[T], c: Array[bool]):
    """c[i] = a[i] <= b[i]

    Of NaN it is false.

    Shapes: a, b and c have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits; c is bool.
    Source: isa.md section 3, logic, `setcc` with `le`; section 2.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = a[i] <= b[i]


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_greater(a: Array[T], b: Array[T], c: Array[bool]):
    """c[i] = a[i] > b[i]

    Of NaN it is false.

    Shapes: a, b and c have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits; c is bool.
    Source: isa.md section 3, logic, `setcc` with `gt`; section 2.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = a[i] > b[i]


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_greater_equal(a: Array[T], b: Array[T], c: Array[bool]):
    """c[i] = a[i] >= b[i]

    Of NaN it is false.

    Shapes: a, b and c have one length, (n,).
    Types: floats (f32, f64, f16, bf16) and integers of 8 to 64 bits; c is bool.
    Source: isa.md section 3, logic, `setcc` with `ge`; section 2.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = a[i] >= b[i]
