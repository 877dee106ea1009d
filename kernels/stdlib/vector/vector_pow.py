"""The instruction `pow` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, get_global_id, pow

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_pow(a: Array[T], b: Array[T], c: Array[T]):
    """c[i] = pow(a[i], b[i])

    a^b by C99 annex F: 1 at b = 0 and at a = 1, whatever the other.

    Shapes: a, b and c have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, BinaryMapOperation `Pow`; isa.md, scalar instructions `pow`.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = pow(a[i], b[i])
