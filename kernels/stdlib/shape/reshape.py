"""The same elements in another shape."""

import hologram
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bool")


@hologram.kernel(lanes="len(out)", where="x.shape[0] == out.shape[0]")
def reshape(x: Array[T], out: Array[T]):
    """out[i] = x[i]

    Elements keep their order, the last axis first, so that the arrays of both shapes are flattened ones. Where x may
    stay where it is, a view of it needs no kernel.

    Shapes: x and out have one length, (n,).
    Types: f32, f64, f16, bf16, integers of 8 to 64 bits, bool.
    Source: core.md, `Tensor::reshape`.
    """
    i = get_global_id()
    if i < len(out):
        out[i] = x[i]
