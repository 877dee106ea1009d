"""Array-level products made of gemm: batched, of mixed precision, quantised, and contractions of any axes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, Float64Type, FloatAttr, IntegerAttr
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def

from hologram.dialects.atlas.arrays import reference
from hologram.dialects.atlas.arrays.base import element_dtype
from hologram.dialects.atlas.arrays.extension import ExtensionOp, Place, flag, integers_of, without
from hologram.dialects.atlas.instructions.reference import converted
from hologram.dialects.atlas.instructions.storage import storage, view, wrap
from hologram.dialects.atlas.instructions.types import DTYPES, NUMBERS, STORED, Array, DTypeAttr
from hologram.dialects.lazy import np
from hologram.dialects.shapes import element_type
from hologram.errors import VerifyError


class ProductOp(ExtensionOp):
    """The base of the gemms: in 0 and in 1 are multiplied over their last two axes."""

    FLAGS: ClassVar[frozenset[str]] = frozenset({"trans_a", "trans_b"})
    trans_a = opt_prop_def(IntegerAttr)
    trans_b = opt_prop_def(IntegerAttr)

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        rank, out = self.rank(0), self.out
        first, second = rank - 2, rank - 1
        rows, depth = (second, first) if flag(self.trans_a) else (first, second)
        deep, columns = (second, first) if flag(self.trans_b) else (first, second)
        yield (1, deep), (0, depth)
        yield (0, rows), (out, first)
        yield (1, columns), (out, second)
        for number in range(len(self.ins)):
            yield from (((number, axis), (out, axis)) for axis in range(rank - 2))
        for number in range(2, len(self.ins)):
            yield from self.same(number, out)

    def turned(self, a: Array, b: Array) -> list[Array]:
        """The matrices after their transposes."""
        flips = (self.trans_a, self.trans_b)
        return [x.swapaxes(-1, -2) if flag(f) else x for x, f in zip((a, b), flips, strict=True)]

    def verify_ranks(self, least: int) -> None:
        """All operands have one rank."""
        self.verify_rank(0, *range(least, 9))
        for number in range(1, len(self.operands)):
            self.verify_rank(number, self.rank(0))


class ScaledProductOp(ProductOp):
    """The base of alpha * a b + beta * c."""

    ARITY: ClassVar[tuple[int, ...]] = (2, 3)
    alpha = opt_prop_def(FloatAttr[Float64Type])
    beta = opt_prop_def(FloatAttr[Float64Type])

    @property
    def scales(self) -> tuple[float, float]:
        """alpha and beta, 1 where absent."""
        alpha, beta = (1.0 if s is None else s.value.data for s in (self.alpha, self.beta))
        return alpha, beta

    def evaluate(self, *ins: Array) -> Array:
        a, b = self.turned(*ins[:2])
        return reference.product(element_dtype(self.outs[0]), a, b, ins[2] if len(ins) == 3 else None, *self.scales)


@irdl_op_definition
class BatchedGemmOp(ScaledProductOp):
    """alpha * a b + beta * c for each index of the leading axes, one at least; as `atlas.gemm` in all else.

    Example::

        atlas.batched_gemm ins(%a, %b : memref<8x?x?xf32>, memref<8x?x?xf32>) outs(%c : memref<8x?x?xf32>)
          {trans_b = 1 : i64}
    """

    name = "atlas.batched_gemm"
    TYPES: ClassVar[frozenset[str]] = NUMBERS

    def check(self) -> None:
        self.verify_ranks(3)
        dtype = self.verify_types(0, self.TYPES)
        self.verify_element(*self.ins)
        for name, scale in zip(("alpha", "beta"), self.scales, strict=True):
            if dtype.is_integer and not scale.is_integer():
                raise VerifyError(
                    "atlas-batched-scale",
                    f"'{self.name}' of integers takes integers for alpha and beta, found {name} = {scale}",
                )


@irdl_op_definition
class MixedPrecisionGemmOp(ScaledProductOp):
    """alpha * a b + beta * c of floats of 8 and 16 bits, accumulated in f32, for each index of the leading axes.

    a and b may differ in type; products are exact in f32, their sums are taken in any order with fused multiply-adds: a
    tolerance, not bits. c, the optional third in, and the out are f32; a narrower out takes the value rounded
    once.

    Example::

        atlas.mixed_precision_gemm ins(%a, %b : memref<?x?xbf16>, memref<?x?xf16>) outs(%c : memref<?x?xf32>)
    """

    name = "atlas.mixed_precision_gemm"
    TYPES: ClassVar[frozenset[str]] = frozenset({"f16", "bf16"}) | STORED

    def check(self) -> None:
        self.verify_ranks(2)
        for number in (0, 1):
            self.verify_types(number, self.TYPES)
        for number in range(2, len(self.ins)):
            self.verify_types(number, frozenset({"f32"}))
        self.verify_types(self.out, self.TYPES | {"f32"})


@irdl_op_definition
class QuantizedGemmOp(ProductOp):
    """The product of matrices of 8-bit integers, accumulated in i32 (wrapping), for each index of the leading axes.

    `type` says how a is read, i8 or u8, `type_b` how b is (by default alike). An out of i32 takes the sums. An out of
    f32 takes sum * s with the f32 s = `a_scale` * `b_scale`, the sum rounded to f32 first; one of 8 bits takes
    sum * s with s = `a_scale` * `b_scale` / `c_scale`, rounded half to even and saturated to the range of `type`. s is
    rounded to f32 once; scales are 1 where absent, and belong to no out of i32.

    Example::

        atlas.quantized_gemm ins(%a, %b : memref<?x?xi8>, memref<?x?xi8>) outs(%c : memref<?x?xf32>)
          {type = #atlas.dtype<i8>, a_scale = 0.02 : f64, b_scale = 0.1 : f64}
    """

    name = "atlas.quantized_gemm"
    ARITY: ClassVar[tuple[int, ...]] = (2,)
    TYPES: ClassVar[frozenset[str]] = frozenset({"i8", "u8"})
    type = prop_def(DTypeAttr)
    type_b = opt_prop_def(DTypeAttr)
    a_scale = opt_prop_def(FloatAttr[Float64Type])
    b_scale = opt_prop_def(FloatAttr[Float64Type])
    c_scale = opt_prop_def(FloatAttr[Float64Type])

    @property
    def types(self) -> tuple[DTypeAttr, DTypeAttr]:
        """The types that a and b are read as."""
        return self.type, self.type if self.type_b is None else self.type_b

    @property
    def scale(self) -> float:
        """s, not yet rounded."""
        a, b, c = (1.0 if s is None else s.value.data for s in (self.a_scale, self.b_scale, self.c_scale))
        return a * b / c

    def check(self) -> None:
        self.verify_ranks(2)
        for number, declared in enumerate(self.types):
            self.verify_declared(declared, number)
            self.verify_types(number, self.TYPES)
        out = self.verify_types(2, frozenset({"i8", "i32", "f32"}))
        if self.c_scale is not None and self.c_scale.value.data == 0:
            raise VerifyError("atlas-quantized-scale", f"'{self.name}' divides by c_scale, which is 0")
        given = [n for n in ("a_scale", "b_scale", "c_scale") if n in self.properties]
        wrong = given if out.name == "i32" else [n for n in given if n == "c_scale"] if out.is_float else []
        if wrong:
            raise VerifyError(
                "atlas-quantized-scales",
                f"'{self.name}' has no use for {wrong[0]} with an out of {element_type(self.outs[0].type)}",
            )

    def evaluate(self, *ins: Array) -> Array:
        """The sums modulo 2^32, then the scale."""
        a, b = (view(x, t.dtype).astype(np.int64) for x, t in zip(ins, self.types, strict=True))
        x, y = self.turned(a, b)
        i32, f32, stored = DTYPES["i32"], DTYPES["f32"], element_dtype(self.outs[0])
        total = storage(wrap(i32, x @ y), i32)
        if stored is i32:
            return total
        with np.errstate(all="ignore"):
            scaled = converted(i32, f32, total) * np.float32(self.scale)
        return scaled if stored is f32 else converted(f32, self.type.dtype, np.rint(scaled))


@irdl_op_definition
class TensorContractOp(ExtensionOp):
    """The sum of products over pairs of axes: `contract_a[n]` of a with `contract_b[n]` of b.

    The out has the other axes of a, in order, then those of b. Floats are accumulated in f32 (f64 for f64) in any
    order, with fused multiply-adds: a tolerance, not bits. Integers wrap. Without axes it is the outer product.

    Example::

        atlas.tensor_contract ins(%a, %b : memref<?x?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?x?xf32>)
          {contract_a = [1 : i64], contract_b = [0 : i64]}
    """

    name = "atlas.tensor_contract"
    ARITY: ClassVar[tuple[int, ...]] = (2,)
    TYPES: ClassVar[frozenset[str]] = NUMBERS
    contract_a = prop_def(ArrayAttr[IntegerAttr])
    contract_b = prop_def(ArrayAttr[IntegerAttr])
    TRAPS: ClassVar[bool] = True

    @property
    def contracted(self) -> tuple[list[int], list[int]]:
        """The contracted axes of a and of b."""
        return integers_of(self.contract_a), integers_of(self.contract_b)

    @property
    def free(self) -> tuple[list[int], list[int]]:
        """The other axes of a and of b."""
        a, b = self.contracted
        return without(a, self.rank(0)), without(b, self.rank(1))

    def check(self) -> None:
        self.verify_types(0, self.TYPES)
        self.verify_element(*self.ins)
        a, b = self.contracted
        for number, axes in enumerate((a, b)):
            for axis in axes:
                if not 0 <= axis < self.rank(number) or axes.count(axis) > 1:
                    raise VerifyError(
                        "atlas-contract-axes",
                        f"{axes} are no distinct axes of {self.operand_name(number)} of '{self.name}', "
                        f"which has {self.rank(number)}",
                    )
        if len(a) != len(b):
            raise VerifyError("atlas-contract-pairs", f"'{self.name}' pairs axes, found {len(a)} and {len(b)}")
        self.verify_rank(2, self.rank(0) + self.rank(1) - 2 * len(a))

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield from (((1, y), (0, x)) for x, y in zip(*self.contracted, strict=True))
        a, b = self.free
        yield from (((0, axis), (2, n)) for n, axis in enumerate(a))
        yield from (((1, axis), (2, n)) for n, axis in enumerate(b, len(a)))

    def evaluate(self, *ins: Array) -> Array:
        dtype = element_dtype(self.outs[0])
        a, b = (x.astype(reference.wide_type(dtype)) for x in ins)
        with np.errstate(all="ignore"):
            return reference.narrowed(dtype, np.tensordot(a, b, self.contracted))


OPS: list[type[Operation]] = [BatchedGemmOp, MixedPrecisionGemmOp, QuantizedGemmOp, TensorContractOp]
