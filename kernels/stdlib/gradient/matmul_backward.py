"""The gradients of a product of matrices."""

import hologram
from hologram.language import Array

from ..blocks import FLOATS as T
from ..products import product


@hologram.kernel(
    lanes=("(out.shape[1] + 63) // 64 * 256", "(out.shape[0] + 63) // 64"),
    block=256,
    where=("grad.shape[0] == out.shape[0]", "rhs.shape[0] == out.shape[1]", "grad.shape[1] == rhs.shape[1]"),
)
def matmul_backward_lhs(grad: Array[T, 2], rhs: Array[T, 2], out: Array[T, 2]):
    """out = grad rhs^T

    The gradient of lhs in c = lhs rhs, where grad is that of c. Blocks of 64 x 64, by tiles in shared memory.

    Shapes: grad is (m, n), rhs (k, n), out (m, k).
    Types: f32, f64, f16, bf16; f16 and bf16 are summed in f32 and rounded once.
    Source: core.md, `grad_ops::matmul_backward`.
    """
    product(grad, rhs, out, 1, 0, 0, 1, 0, 0)


@hologram.kernel(
    lanes=("(out.shape[1] + 63) // 64 * 256", "(out.shape[0] + 63) // 64"),
    block=256,
    where=("lhs.shape[1] == out.shape[0]", "grad.shape[1] == out.shape[1]", "grad.shape[0] == lhs.shape[0]"),
)
def matmul_backward_rhs(grad: Array[T, 2], lhs: Array[T, 2], out: Array[T, 2]):
    """out = lhs^T grad

    The gradient of rhs in c = lhs rhs, where grad is that of c. Blocks of 64 x 64, by tiles in shared memory.

    Shapes: grad is (m, n), lhs (m, k), out (k, n).
    Types: f32, f64, f16, bf16; f16 and bf16 are summed in f32 and rounded once.
    Source: core.md, `grad_ops::matmul_backward`.
    """
    product(lhs, grad, out, 1, 0, 1, 0, 0, 0)
