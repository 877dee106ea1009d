"""Goes from one vector to another in a straight line."""

import hologram
from hologram.language import Array, Element, get_global_id, lerp

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="c.shape[0]", where="a.shape[0] == b.shape[0] == c.shape[0]")
def vector_lerp(a: Array[T], b: Array[T], t: T, c: Array[T]):
    """c[i] = a[i] + (b[i] - a[i]) * t, as fma(t, b[i], fma(-t, a[i], a[i]))

    Shapes: a, b and c have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: backends.md, `LERP`; isa.md section 2.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = lerp(a[i], b[i], t)
