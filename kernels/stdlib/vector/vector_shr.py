"""Shifts the elements of a vector right."""

import hologram
from hologram.language import Array, Element, get_global_id, u32

T = Element("T", "i32", "i64", "i16", "i8", "u32", "u64", "u16", "u8")


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == amounts.shape[0] == c.shape[0]")
def vector_shr(a: Array[T], amounts: Array[u32], c: Array[T]):
    """c[i] = a[i] >> amounts[i]

    Arithmetic for signed types. Amounts count modulo the width of the type.

    Shapes: a, amounts and c have one length, (n,); amounts are u32.
    Types: i32, i64, i16, i8, u32, u64, u16, u8.
    Source: isa.md section 3, logic, `shr`; section 2.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = a[i] >> amounts[i]
