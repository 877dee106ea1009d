"""The difference of two vectors."""

import hologram
from hologram.language import Array, f32, get_global_id


@hologram.kernel(lanes="c.shape[0]")
def vector_sub(a: Array[f32], b: Array[f32], c: Array[f32]):
    """c[i] = a[i] - b[i]

    Floats round once.

    Shapes: a, b and c have one length, (n,).
    Types: f32.
    Source: core.md, `ops::math::vector_sub`; isa.md section 3, `parallel_map_binary`.
    """
    i = get_global_id()
    if i < c.shape[0]:
        c[i] = a[i] - b[i]
