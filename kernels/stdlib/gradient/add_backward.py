"""The gradient of a sum."""

import hologram
from hologram.language import Array, Element, get_global_id

T = Element("T", "f32", "f64", "f16", "bf16")


@hologram.kernel(lanes="len(grad_a)", where="grad.shape[0] == grad_a.shape[0] == grad_b.shape[0]")
def add_backward(grad: Array[T], grad_a: Array[T], grad_b: Array[T]):
    """grad_a = grad, grad_b = grad

    Of c = a + b.

    Shapes: grad, grad_a and grad_b have one length, (n,).
    Types: f32, f64, f16, bf16.
    Source: core.md, `grad_ops::add_backward`.
    """
    i = get_global_id()
    if i < len(grad_a):
        grad_a[i] = grad[i]
        grad_b[i] = grad[i]
