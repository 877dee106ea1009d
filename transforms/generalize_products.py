"""Products by way of `atlas.gemm`: operands widened or brought to matrices, results by its finish region."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import BoolAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.arrays import element_type
from hologram.dialects.atlas.gemm import GemmOp
from hologram.dialects.atlas.products import BatchedGemmOp, MixedPrecisionGemmOp, QuantizedGemmOp, TensorContractOp
from hologram.dialects.atlas.types import DTYPES, DType, dtype_of
from hologram.transforms.array_forms import ArrayForms, Scalars, Size

F32, I32 = DTYPES["f32"], DTYPES["i32"]


def batched_gemm(forms: ArrayForms, op: BatchedGemmOp) -> SSAValue:
    """A gemm has leading axes too."""
    return forms.array(GemmOp(op.ins, op.outs, (), (), None, **_scales(op)), op.outs[0])


def _scales(op: BatchedGemmOp | MixedPrecisionGemmOp | QuantizedGemmOp) -> dict[str, Attribute]:
    return {n: v for n, v in op.properties.items() if n in ("alpha", "beta", "trans_a", "trans_b")}


def _dtype(value: SSAValue) -> DType:
    dtype = dtype_of(element_type(value.type))
    assert dtype is not None
    return dtype


def mixed_precision_gemm(forms: ArrayForms, op: MixedPrecisionGemmOp) -> SSAValue:
    """The widened operands: what that moves is little beside the products."""
    wide = [forms.widened(v, F32) for v in op.ins]
    stored = _dtype(op.outs[0])
    finish = None if stored is F32 else forms.region([], lambda s, args: s.cvt(F32, stored, args[0]), [F32.ir])
    return forms.array(GemmOp(wide, op.outs, (), (), finish, **_scales(op)), op.outs[0])


def quantized_gemm(forms: ArrayForms, op: QuantizedGemmOp) -> SSAValue:
    """The operands as i32."""
    wide = [forms.widened(v, I32, said.dtype) for v, said in zip(op.ins, op.types, strict=True)]
    stored = _dtype(op.outs[0])

    def scaled(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
        total = s.op(scalar.MulOp(F32, s.cvt(I32, F32, args[0]), s.constant(op.scale, F32)))
        if stored is F32:
            return total
        # The conversion saturates, and takes a number that is whole already.
        return s.cvt(F32, op.type.dtype, s.op(scalar.RoundOp(F32, total)))

    finish = None if stored is I32 else forms.region([], scaled, [I32.ir])
    return forms.array(GemmOp(wide, op.outs, (), (), finish, **_scales(op)), op.outs[0])


def tensor_contract(forms: ArrayForms, op: TensorContractOp) -> SSAValue:
    """Matrices of the free and the contracted axes; an operand whose axes lie otherwise is transposed first."""
    (a_axes, b_axes), (a_free, b_free) = op.contracted, op.free
    for n, (x, y) in enumerate(zip(a_axes, b_axes, strict=True)):
        forms.check_equal(op.ins[0], x, op.ins[1], y, f"atlas.tensor_contract: the axes of pair {n} differ in size")
    a, flip_a = _matrix(forms, op.ins[0], a_free, a_axes)
    b, flip_b = _matrix(forms, op.ins[1], b_axes, b_free)
    out = op.outs[0]
    sizes = [*(forms.size(op.ins[0], x) for x in a_free), *(forms.size(op.ins[1], x) for x in b_free)]
    rows = [forms.product(sizes[: len(a_free)]), forms.product(sizes[len(a_free) :])]
    if op.is_value_form:
        target = forms.temporary(rows, _dtype(out))
    else:
        out = out if forms.is_dense(out) else forms.like(out)
        forms.check_sizes(out, sizes, "atlas.tensor_contract: the out's sizes are not those of the free axes")
        target = forms.reshape(out, rows)
    flips = {"trans_a": BoolAttr.from_bool(flip_a), "trans_b": BoolAttr.from_bool(flip_b)}
    product = forms.array(GemmOp([a, b], [target], (), (), None, **flips), target)
    return forms.reshape(product, sizes) if op.is_value_form else out


def _matrix(forms: ArrayForms, value: SSAValue, rows: Sequence[int], columns: Sequence[int]) -> tuple[SSAValue, bool]:
    """The value with some axes as rows and the others as columns, and whether the matrix is the transpose of that."""
    sizes = forms.sizes(value)
    shape: list[Size] = [forms.product([sizes[a] for a in group]) for group in (rows, columns)]
    order = [*rows, *columns]
    if order == list(range(len(order))):
        return forms.reshape(forms.dense(value), shape), False
    if [*columns, *rows] == list(range(len(order))):
        return forms.reshape(forms.dense(value), shape[::-1]), True
    moved = forms.temporary([sizes[a] for a in order], _dtype(value))
    read = AffineMap(len(order), 0, tuple(AffineExpr.dimension(order.index(a)) for a in range(len(order))))
    maps = [read, AffineMap.identity(len(order))]
    return forms.reshape(forms.map([value], moved, maps, lambda s, args: args[0]), shape), False
