"""Powers."""

import hologram
from hologram.language import Array, Element, get_global_id, pow

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_pow(a: Array[T], b: Array[T], c: Array[T]):
    """c[i] = a[i] ** b[i]

    By C99 annex F: 1 where b is 0 or a is 1, whatever the other.

    Shapes: a, b and c have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: isa.md section 3, `parallel_map_binary` (pow); section 2.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = pow(a[i], b[i])
