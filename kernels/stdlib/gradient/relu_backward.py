"""The gradient of relu."""

import hologram
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="len(out)", where="grad.shape[0] == x.shape[0] == out.shape[0]")
def relu_backward(grad: Array[T], x: Array[T], out: Array[T]):
    """out = grad where x > 0, else 0

    x is what relu was given; NaN gives 0.

    Shapes: All have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: core.md, `grad_ops::relu_backward`.
    """
    i = get_global_id()
    if i < len(out):
        out[i] = grad[i] if x[i] > 0 else T(0)
