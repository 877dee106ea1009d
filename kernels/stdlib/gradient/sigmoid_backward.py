"""The gradient of sigmoid."""

import hologram
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="len(out)", where="grad.shape[0] == y.shape[0] == out.shape[0]")
def sigmoid_backward(grad: Array[T], y: Array[T], out: Array[T]):
    """out = grad * (y * (1 - y))

    y is what sigmoid gave.

    Shapes: All have one length, (n,).
    Types: f32, f64, f16, bf16; f16 and bf16 are computed in f32 and rounded once.
    Source: core.md, `grad_ops::sigmoid_backward`.
    """
    i = get_global_id()
    if i < len(out):
        out[i] = T(T.wide(grad[i]) * (T.wide(y[i]) * (T.wide(1) - T.wide(y[i]))))
