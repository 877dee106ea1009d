"""Products of matrices and of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import math, reduce
from hologram.frontend.tensors.ops.memory import index_tensor, reshaped, total
from hologram.frontend.tensors.trace.literals import integers, real
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.support import (
    ONE,
    broadcast,
    broadcast_sizes,
    brought,
    dtype_name,
    must_equal,
    named_axes,
    operation,
    settled,
    tensor,
    trace,
)
from hologram.frontend.tensors.trace.trace import Sizes, Traced

INNER = "the sizes that are summed over differ"


@operation
def matmul(a: Any, b: Any) -> Any:
    """The product over the last axis of a and the one before b's last, as numpy's @: batches broadcast, vectors are
    rows on the left and columns on the right. A tolerance, not bits."""
    x, y = brought(a, b, kind="number")
    if not x.ndim or not y.ndim:
        fault("jit-matmul-rank", "'@' takes tensors with axes; a number multiplies by '*'")
    left, right = x.ndim == 1, y.ndim == 1
    own, other = settled(x), settled(y)
    must_equal(own[-1], other[0] if right else other[-2], INNER)
    if left and right:
        return reduce.reduced("sum", math.mul(x, y), None, False)
    own, other = settled(x), settled(y)
    x = reshaped(x, (ONE, *own)) if left else x
    y = reshaped(y, (*other, ONE)) if right else y
    product = _product(x, y)
    sizes = list(settled(product))
    if left or right:
        del sizes[-2 if left else -1]
    return reshaped(product, tuple(sizes))


def _product(x: Traced, y: Traced) -> Traced:
    """The product of matrices and batches of them."""
    own, other = settled(x), settled(y)
    if y.ndim == 2 and x.ndim > 2:
        flat = reshaped(x, (total(own[:-1]), own[-1]))
        return reshaped(_multiply(flat, y, (total(own[:-1]), other[-1])), (*own[:-1], other[-1]))
    batch = broadcast_sizes(own[:-2], other[:-2]) if x.ndim > 2 or y.ndim > 2 else ()
    own, other = settled(x), settled(y)
    x, y = broadcast(x, (*batch, *own[-2:])), broadcast(y, (*batch, *other[-2:]))
    return _multiply(x, y, (*batch, own[-2], other[-1]))


def _multiply(x: Traced, y: Traced, sizes: Sizes) -> Traced:
    return trace().add("hologram.matmul", [x, y], x.dtype, sizes)


@operation
def gemm(
    a: Any, b: Any, c: Any = None, alpha: float = 1.0, beta: float = 1.0, trans_a: bool = False, trans_b: bool = False
) -> Any:
    """alpha a b + beta c of matrices, or of batches of them; `trans_a` and `trans_b` transpose the last two axes."""
    values = brought(a, b, *([] if c is None else [c]), kind="number")
    x, y = values[:2]
    if x.ndim < 2 or x.ndim != y.ndim:
        fault("jit-gemm-rank", f"gemm takes two matrices or equal batches of them, found {x.ndim} and {y.ndim} axes")
    sizes = _product_sizes(_turned(x, trans_a), _turned(y, trans_b))
    flags = [f"{n} = 1 : i64" for n, on in (("trans_a", trans_a), ("trans_b", trans_b)) if on]
    scales = [f"{n} = {real(v)}" for n, v in (("alpha", alpha), ("beta", beta)) if float(v) != 1.0]
    operands = [x, y, *(broadcast(v, sizes) for v in values[2:])]
    return trace().add("atlas.gemm", operands, x.dtype, sizes, attributes=", ".join(scales + flags))


def _product_sizes(a: Sizes, b: Sizes) -> Sizes:
    """Return the sizes of the product of two matrices, or equal batches of them; refuse sizes that do not fit."""
    for left, right in zip((*a[:-2], a[-1]), b[:-1], strict=True):
        must_equal(left, right, INNER)
    return (*map(trace().facts.settled, a[:-2]), a[-2], b[-1])


def _turned(x: Traced, turn: bool) -> Sizes:
    own = settled(x)
    return (*own[:-2], own[-1], own[-2]) if turn else own


@operation
def batched_gemm(a: Any, b: Any) -> Any:
    """The products of two batches of matrices."""
    return gemm(a, b)


bmm = batched_gemm


@operation
def matvec(a: Any, x: Any) -> Any:
    """a x of a matrix and a vector."""
    matrix, vector = brought(a, x, kind="number")
    if (matrix.ndim, vector.ndim) != (2, 1):
        fault("jit-matvec-rank", f"matvec takes a matrix and a vector, found {matrix.ndim} and {vector.ndim} axes")
    return matmul(matrix, vector)


@operation
def dot(a: Any, b: Any) -> Any:
    """The sum of the products of two vectors."""
    x, y = brought(a, b, kind="number")
    if (x.ndim, y.ndim) != (1, 1):
        fault("jit-dot-rank", f"dot takes two vectors, found {x.ndim} and {y.ndim} axes", "matmul multiplies matrices")
    return matmul(x, y)


@operation
def outer(a: Any, b: Any) -> Any:
    """The product of each element of a vector with each of another."""
    x, y = brought(a, b, kind="number")
    if (x.ndim, y.ndim) != (1, 1):
        fault("jit-outer-rank", f"outer takes two vectors, found {x.ndim} and {y.ndim} axes")
    return math.mul(reshaped(x, (x.along(0), ONE)), y)


@operation
def tensor_contract(a: Any, b: Any, axes_a: Sequence[int], axes_b: Sequence[int]) -> Any:
    """The sum over pairs of axes of two tensors; the other axes of a come first, then those of b."""
    x, y = brought(a, b, kind="number")
    first, second = named_axes(axes_a, x.ndim), named_axes(axes_b, y.ndim)
    if len(first) != len(second):
        fault("jit-contract-pairs", f"axes are contracted in pairs, found {len(first)} and {len(second)}")
    for i, j in zip(first, second, strict=True):
        must_equal(x.along(i), y.along(j), INNER)
    sizes = [x.along(n) for n in range(x.ndim) if n not in first] + [
        y.along(n) for n in range(y.ndim) if n not in second
    ]
    attributes = f"contract_a = {integers(first)}, contract_b = {integers(second)}"
    return trace().add("atlas.tensor_contract", [x, y], x.dtype, sizes, attributes=attributes)


@operation
def mixed_precision_gemm(a: Any, b: Any, dtype: Any = "f32") -> Any:
    """a b of f16 or bf16 matrices, accumulated in f32; the result is f32 or the type that is named."""
    return _typed_product("mixed_precision_gemm", tensor(a), tensor(b), dtype_name(dtype), "")


@operation
def quantized_gemm(a: Any, b: Any, a_scale: float = 1.0, b_scale: float = 1.0, dtype: Any = None) -> Any:
    """a b of matrices of i8 or u8: the sums, in i32; with scales (or dtype f32) the sums times `a_scale * b_scale`."""
    x, y = tensor(a), tensor(b)
    scales = [f"{n} = {real(v)}" for n, v in (("a_scale", a_scale), ("b_scale", b_scale)) if float(v) != 1.0]
    out_dtype = dtype_name(dtype or ("f32" if scales else "i32"))
    attributes = [f"type = #atlas.dtype<{x.dtype}>", f"type_b = #atlas.dtype<{y.dtype}>"]
    return _typed_product("quantized_gemm", x, y, out_dtype, ", ".join(attributes + scales))


def _typed_product(name: str, x: Traced, y: Traced, dtype: str, attributes: str) -> Any:
    if x.ndim < 2 or x.ndim != y.ndim:
        fault("jit-typed-gemm-rank", f"{name} takes matrices or equal batches, found {x.ndim} and {y.ndim} axes")
    sizes = _product_sizes(settled(x), settled(y))
    return trace().add(f"atlas.{name}", [x, y], dtype, sizes, attributes=attributes)


@operation
def sparse_gemm(values: Any, indices: Any, starts: Any, b: Any) -> Any:
    """The product of a sparse matrix of compressed rows (CSR: values, column indices, row starts) with a dense one."""
    x, y = brought(values, b, kind="number")
    columns, rows = index_tensor(indices), index_tensor(starts)
    if columns.dtype != rows.dtype:
        columns, rows = (math.cast(v, "i64") for v in (columns, rows))
    if (x.ndim, y.ndim, columns.ndim, rows.ndim) != (1, 2, 1, 1):
        fault("jit-sparse-rank", "sparse_gemm takes three vectors and a matrix")
    must_equal(x.along(0), columns.along(0), "there are not as many values as indices")
    sizes = [rows.along(0) - Size.of(1), y.along(1)]
    if not trace().facts.holds(sizes[0], ">=", Size.of(0)):
        fault("jit-sparse-starts", "there is one start more than there are rows, and so one at least")
    return trace().add("atlas.sparse_gemm", [x, columns, rows, y], x.dtype, sizes)
