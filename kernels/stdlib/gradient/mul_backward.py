"""The gradient of a product."""

import hologram
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(
    lanes="len(grad_a)", where="grad.shape[0] == a.shape[0] == b.shape[0] == grad_a.shape[0] == grad_b.shape[0]"
)
def mul_backward(grad: Array[T], a: Array[T], b: Array[T], grad_a: Array[T], grad_b: Array[T]):
    """grad_a = grad * b, grad_b = grad * a

    Of c = a * b.

    Shapes: All have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: core.md, `grad_ops::mul_backward`.
    """
    i = get_global_id()
    if i < len(grad_a):
        grad_a[i] = grad[i] * b[i]
        grad_b[i] = grad[i] * a[i]
