"""The instruction `atan2` on each element. `make docs` writes this file from its declaration."""

import hologram
from hologram.language import Array, Element, atan2, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_atan2(a: Array[T], b: Array[T], c: Array[T]):
    """c[i] = atan2(a[i], b[i])

    The angle of (b, a) in [-pi, pi] by C99 annex F.

    Shapes: a, b and c have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, BinaryMapOperation `Atan2`; isa.md, scalar instructions `atan2`.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = atan2(a[i], b[i])
