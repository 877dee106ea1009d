"""The reference of the products made of gemm."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation

from hologram.dialects.atlas import products, reference
from hologram.dialects.atlas.extension import flag
from hologram.dialects.atlas.instruction import storage, view
from hologram.dialects.atlas.types import DTYPES
from hologram.runtime.interpreter import functions
from hologram.runtime.interpreter.machine import Handler
from hologram.runtime.interpreter.scalars import convert
from hologram.runtime.interpreter.search import extension_form
from hologram.runtime.interpreter.values import Array, isa_type


def _turned(op: products.ProductOp, a: Array, b: Array) -> tuple[Array, Array]:
    """The matrices after their transposes."""
    x, y = (v.swapaxes(-1, -2) if flag(f) else v for v, f in zip((a, b), (op.trans_a, op.trans_b), strict=True))
    return x, y


def _gemm(op: products.BatchedGemmOp | products.MixedPrecisionGemmOp, a: Array, b: Array, c: Array | None) -> Array:
    alpha, beta = (1.0 if s is None else s.value.data for s in (op.alpha, op.beta))
    return functions.gemm(isa_type(op.outs[0].type), *_turned(op, a, b), c, alpha, beta)


def _batched_gemm(op: products.BatchedGemmOp, a: Array, b: Array, c: Array | None = None) -> Array:
    return _gemm(op, a, b, c)


def _mixed_precision_gemm(op: products.MixedPrecisionGemmOp, a: Array, b: Array, c: Array | None = None) -> Array:
    return _gemm(op, a, b, c)


def _quantized_gemm(op: products.QuantizedGemmOp, a: Array, b: Array) -> Array:
    """The sums modulo 2^32, then the scale."""
    a, b = (view(v, t.dtype).astype(np.int64) for v, t in zip((a, b), op.types, strict=True))
    x, y = _turned(op, a, b)
    i32, f32, stored = DTYPES["i32"], DTYPES["f32"], isa_type(op.outs[0].type)
    total = storage(reference.wrap(i32, x @ y), i32)
    if stored is i32:
        return total
    with np.errstate(all="ignore"):
        scaled = convert(i32, f32, total) * np.float32(op.scale)
    return scaled if stored is f32 else convert(f32, op.type.dtype, np.rint(scaled))


def _tensor_contract(op: products.TensorContractOp, a: Array, b: Array) -> Array:
    """Every element in float64 (integers in Python's), rounded once."""
    dtype = isa_type(op.outs[0].type)
    wide = np.float64 if dtype.is_float else object
    with np.errstate(all="ignore"):
        total = np.tensordot(a.astype(wide), b.astype(wide), op.contracted)
        return reference.narrow(dtype, total) if dtype.is_float else storage(reference.wrap(dtype, total), dtype)


PRODUCTS: dict[type[Operation], Handler] = {
    products.BatchedGemmOp: extension_form(_batched_gemm),
    products.MixedPrecisionGemmOp: extension_form(_mixed_precision_gemm),
    products.QuantizedGemmOp: extension_form(_quantized_gemm),
    products.TensorContractOp: extension_form(_tensor_contract),
}
"""What executes each of them."""
