"""Gives named array-level instructions with the meaning of a map or a reduction their general form.

Normalisations become two reductions and a map, as fusion makes them of the formula written out. Products go by way of
`atlas.gemm`, with operands widened or brought to matrices and results by its finish region. Collectives of a launch on
one device are copies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import BoolAttr, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects.atlas.arrays.base import element_dtype
from hologram.dialects.atlas.arrays.collectives import AllGatherOp, AllReduceOp
from hologram.dialects.atlas.arrays.gemm import GemmOp
from hologram.dialects.atlas.arrays.general import ReduceOp, shape_of
from hologram.dialects.atlas.arrays.named import (
    CopyOp,
    ElementwiseOp,
    FillOp,
    NamedOp,
    ParallelReduceOp,
    TransposeOp,
)
from hologram.dialects.atlas.arrays.norms import BatchNormOp, GroupNormOp, LayerNormOp, LayerScaleOp
from hologram.dialects.atlas.arrays.products import (
    BatchedGemmOp,
    MixedPrecisionGemmOp,
    QuantizedGemmOp,
    TensorContractOp,
)
from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS
from hologram.dialects.atlas.instructions.types import DTYPES, DType, widened, working_type
from hologram.errors import UsageError, did_you_mean
from hologram.support.registry import Registry
from hologram.support.walking import operations
from hologram.transforms.arrays.array_forms import ArrayForms, Scalars, Size, axes

GENERAL = Registry[Callable[[ArrayForms, Any], SSAValue]]()
"""Emits the general form of each named instruction that has one, and gives what stands for its out."""


def _rank(op: NamedOp) -> int:
    return len(shape_of(op.outs[0].type))


@GENERAL.on(FillOp)
def fill(forms: ArrayForms, op: FillOp) -> SSAValue:
    """The scalar for each element."""
    maps = [axes(_rank(op)), AffineMap.identity(_rank(op))]
    return forms.map(op.ins, op.outs[0], maps, lambda s, args: args[0])


@GENERAL.on(CopyOp, AllReduceOp)
def copy(forms: ArrayForms, op: CopyOp | AllReduceOp) -> SSAValue:
    """One value combined is a copy too."""
    return forms.copy(op.ins[0], op.outs[0])


@GENERAL.on(TransposeOp)
def transpose(forms: ArrayForms, op: TransposeOp) -> SSAValue:
    """Axis i of the out is axis `axes[i]` of the in, so axis a of the in is dimension `axes.index(a)`."""
    maps = [axes(_rank(op), *(op.axes.index(a) for a in range(_rank(op)))), AffineMap.identity(_rank(op))]
    return forms.map(op.ins, op.outs[0], maps, lambda s, args: args[0])


@GENERAL.on(ElementwiseOp)
def parallel_map(forms: ArrayForms, op: ElementwiseOp) -> SSAValue:
    """The scalar instruction on each element."""
    maps = [AffineMap.identity(_rank(op))] * (len(op.ins) + 1)
    apply = INSTRUCTIONS[op.operation.data]
    return forms.map(op.ins, op.outs[0], maps, lambda s, args: s.op(apply(op.type.dtype, *args)))


@GENERAL.on(ParallelReduceOp)
def parallel_reduce(forms: ArrayForms, op: ParallelReduceOp) -> SSAValue:
    """A reduction over all axes; narrow floats are summed in a wider type."""
    kind, dtype = op.combiner
    rank, wide = len(shape_of(op.ins[0].type)), working_type(kind.value, dtype)
    body = forms.region(op.ins, lambda s, args: s.cvt(dtype, wide, args[0]))
    finish = None if wide is dtype else forms.region([], lambda s, args: s.cvt(wide, dtype, args[0]), [wide.ir])
    maps = [AffineMap.identity(rank), axes(rank)]
    return forms.array(ReduceOp([(kind, wide)], op.ins, op.outs, maps, body, (), finish), op.outs[0])


@GENERAL.on(AllGatherOp)
def all_gather(forms: ArrayForms, op: AllGatherOp) -> SSAValue:
    """One slice of the out."""
    rank = op.rank(0) + 1
    maps = [axes(rank, *range(1, rank)), AffineMap.identity(rank)]
    return forms.map(op.ins, op.outs[0], maps, lambda s, args: args[0])


F32, I32 = DTYPES["f32"], DTYPES["i32"]


@GENERAL.on(BatchedGemmOp)
def batched_gemm(forms: ArrayForms, op: BatchedGemmOp) -> SSAValue:
    """A gemm has leading axes too."""
    return forms.array(GemmOp(op.ins, op.outs, (), (), None, **_scales(op)), op.outs[0])


def _scales(op: BatchedGemmOp | MixedPrecisionGemmOp | QuantizedGemmOp) -> dict[str, Attribute]:
    return {n: v for n, v in op.properties.items() if n in ("alpha", "beta", "trans_a", "trans_b")}


@GENERAL.on(MixedPrecisionGemmOp)
def mixed_precision_gemm(forms: ArrayForms, op: MixedPrecisionGemmOp) -> SSAValue:
    """The widened operands: what that moves is little beside the products."""
    wide = [forms.widened(v, F32) for v in op.ins]
    stored = element_dtype(op.outs[0])
    finish = None if stored is F32 else forms.region([], lambda s, args: s.cvt(F32, stored, args[0]), [F32.ir])
    return forms.array(GemmOp(wide, op.outs, (), (), finish, **_scales(op)), op.outs[0])


@GENERAL.on(QuantizedGemmOp)
def quantized_gemm(forms: ArrayForms, op: QuantizedGemmOp) -> SSAValue:
    """The operands as i32."""
    wide = [forms.widened(v, I32, attr.dtype) for v, attr in zip(op.ins, op.types, strict=True)]
    stored = element_dtype(op.outs[0])

    def scaled(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
        total = s.of(F32).mul(s.cvt(I32, F32, args[0]), op.scale)
        if stored is F32:
            return total
        # The conversion saturates, and takes a number that is whole already.
        return s.cvt(F32, op.type.dtype, s.op(scalar.RoundOp(F32, total)))

    finish = None if stored is I32 else forms.region([], scaled, [I32.ir])
    return forms.array(GemmOp(wide, op.outs, (), (), finish, **_scales(op)), op.outs[0])


@GENERAL.on(TensorContractOp)
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
        target = forms.temporary(rows, element_dtype(out))
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
    moved = forms.temporary([sizes[a] for a in order], element_dtype(value))
    read = AffineMap(len(order), 0, tuple(AffineExpr.dimension(order.index(a)) for a in range(len(order))))
    maps = [read, AffineMap.identity(len(order))]
    return forms.reshape(forms.map([value], moved, maps, lambda s, args: args[0]), shape), False


@dataclass(frozen=True)
class _Norm:
    """A normalisation of x over some of its dimensions, to x's type by way of `wide`."""

    forms: ArrayForms
    x: SSAValue
    over: Sequence[int]
    eps: float

    @property
    def dtype(self) -> DType:
        return element_dtype(self.x)

    @property
    def wide(self) -> DType:
        return widened(self.dtype)

    @property
    def rank(self) -> int:
        return len(shape_of(self.x.type))

    @property
    def kept(self) -> list[int]:
        return [d for d in range(self.rank) if d not in self.over]

    def less(self, s: Scalars, x: SSAValue, mean: SSAValue) -> SSAValue:
        """x - mu."""
        return s.of(self.wide).sub(s.cvt(self.dtype, self.wide, x), mean)

    def deviation(self, s: Scalars, variance: SSAValue) -> SSAValue:
        """sqrt(v + eps)."""
        shifted = s.of(self.wide).add(variance, self.eps)
        return s.of(self.wide).apply("sqrt", shifted)

    def statistics(self) -> tuple[SSAValue, SSAValue]:
        """mu and sqrt(v + eps), over the kept dimensions."""
        forms, wide, x = self.forms, self.wide, self.x
        sizes: list[Size] = [forms.size(x, d) for d in self.kept]
        count = forms.number(forms.product([forms.size(x, d) for d in self.over]), wide)
        all, kept, none = axes(self.rank, *range(self.rank)), axes(self.rank, *self.kept), axes(self.rank)

        def square(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
            d = self.less(s, args[0], args[1])
            return s.of(wide).mul(d, d)

        def divided(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
            return s.of(wide).div(args[0], args[1])

        mean = forms.sum(
            [x], forms.temporary(sizes, wide), [all, none, kept], wide,
            lambda s, args: s.cvt(self.dtype, wide, args[0]), [count], divided,
        )  # fmt: skip
        return mean, forms.sum(
            [x, mean], forms.temporary(sizes, wide), [all, kept, none, kept], wide, square, [count],
            lambda s, args: self.deviation(s, divided(s, args)),
        )  # fmt: skip

    def normalised(
        self, out: SSAValue, mean: SSAValue, spread: SSAValue, weights: Sequence[SSAValue], maps: Sequence[AffineMap],
        *, is_variance: bool = False,
    ) -> SSAValue:  # fmt: skip
        """((x - mu) / sqrt(v + eps)) * gamma + beta; maps of the statistics and of the weights. `spread` is the
        deviation, or the variance in x's own type, as then the mean is."""
        wide, given = self.wide, self.dtype if is_variance else self.wide

        def value(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
            x, mu, v, gamma, beta = args
            v, gamma, beta = s.cvt(given, wide, v), *(s.cvt(self.dtype, wide, w) for w in (gamma, beta))
            unit = s.of(wide).div(self.less(s, x, s.cvt(given, wide, mu)), self.deviation(s, v) if is_variance else v)
            scaled = s.of(wide).mul(unit, gamma)
            return s.cvt(wide, self.dtype, s.of(wide).add(scaled, beta))

        same = AffineMap.identity(self.rank)
        statistics, weight = maps
        return self.forms.map(
            [self.x, mean, spread, *weights], out, [same, statistics, statistics, weight, weight, same], value
        )


@GENERAL.on(LayerNormOp)
def layer_norm(forms: ArrayForms, op: LayerNormOp) -> SSAValue:
    """Over the last axes."""
    rank, outer = op.rank(0), op.rank(0) - op.rank(1)
    norm = _Norm(forms, op.ins[0], range(outer, rank), op.eps.value.data)
    maps = [axes(rank, *range(outer)), axes(rank, *range(outer, rank))]
    return norm.normalised(op.outs[0], *norm.statistics(), op.ins[1:3], maps)


@GENERAL.on(BatchNormOp)
def batch_norm(forms: ArrayForms, op: BatchNormOp) -> SSAValue:
    """Over all axes but the second, with given statistics or those of x."""
    rank = op.rank(0)
    norm = _Norm(forms, op.ins[0], [d for d in range(rank) if d != 1], op.eps.value.data)
    maps, weights = [axes(rank, 1)] * 2, op.ins[1:3]
    if len(op.ins) == 5:
        return norm.normalised(op.outs[0], op.ins[3], op.ins[4], weights, maps, is_variance=True)
    return norm.normalised(op.outs[0], *norm.statistics(), weights, maps)


@GENERAL.on(GroupNormOp)
def group_norm(forms: ArrayForms, op: GroupNormOp) -> SSAValue:
    """Over groups of channels and what follows them: x as (batch, group, channel in the group, place)."""
    groups, eps = op.groups.value.data, op.eps.value.data
    batch, channels, *places = forms.sizes(op.ins[0])
    forms.check_multiple(channels, groups, "atlas.group_norm: the channels do not make equal groups")
    part = forms.div(channels, groups)
    shape: list[Size] = [batch, groups, part, forms.product(places)]
    x = forms.reshape(forms.dense(op.ins[0]), shape)
    norm = _Norm(forms, x, (2, 3), eps)
    weights = [forms.reshape(forms.dense(w), [groups, part]) for w in op.ins[1:3]]
    out = op.outs[0] if forms.is_dense(op.outs[0]) else forms.like(op.outs[0])
    view = forms.temporary(shape, norm.dtype) if op.is_value_form else forms.reshape(out, shape)
    result = norm.normalised(view, *norm.statistics(), weights, [axes(4, 0, 1), axes(4, 1, 2)])
    return forms.reshape(result, [batch, channels, *places]) if op.is_value_form else out


@GENERAL.on(LayerScaleOp)
def layer_scale(forms: ArrayForms, op: LayerScaleOp) -> SSAValue:
    """A factor for each place of the last axis."""
    dtype, rank = element_dtype(op.outs[0]), op.rank(0)
    same = AffineMap.identity(rank)
    maps = [same, axes(rank, rank - 1), same]
    return forms.map(op.ins, op.outs[0], maps, lambda s, args: s.of(dtype).mul(*args))


KEPT: dict[str, frozenset[str]] = {
    "cpu": frozenset(),
    "gpu": frozenset({"atlas.layer_norm", "atlas.mixed_precision_gemm"}),
    "processor": frozenset({"atlas.mixed_precision_gemm"}),
}
"""By target, the operations that have schedules of their own."""


@dataclass(frozen=True)
class GeneralizeAtlasPass(ModulePass):
    """Turns `fill`, `copy`, `transpose`, `parallel_map`, `parallel_map_binary` into `atlas.map`, and `parallel_reduce`
    into `atlas.reduce`, on memrefs and tensors, so that fusion and schedules see two forms instead of eight.

    Normalisations become two reductions and a map, `layer_scale` and collectives a map; `batched_gemm`,
    `mixed_precision_gemm`, `quantized_gemm` and `tensor_contract` a gemm of what maps and reshapes bring into its form.
    Sums and products of floats below 32 bits are accumulated in f32 (isa.md section 3). With `target=gpu`
    `mixed_precision_gemm` is left to schedule-atlas, which has kernels that widen on the way.

    Before::

        atlas.parallel_map exp f32 ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)

    After::

        atlas.map ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
          maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
        ^bb0(%x: f32):
          %y = atlas.exp f32 %x
          atlas.yield %y : f32
        }
    """

    name = "generalize-atlas"
    target: str = "cpu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.target not in KEPT:
            raise UsageError(
                "generalize-target",
                f"there is no target '{self.target}' of generalize-atlas",
                hint=did_you_mean(self.target, KEPT) or f"the targets are {', '.join(KEPT)}",
            )
        kept = KEPT[self.target]
        generalize(op, keep=lambda named: named.name in kept)


def generalize(module: ModuleOp, *, keep: Callable[[Operation], bool] = lambda op: False) -> None:
    """Gives all named instructions their general form, but those to keep."""
    for named in [o for o in operations(module) if GENERAL.find(type(o)) is not None and not keep(o)]:
        assert isinstance(named, NamedOp)
        ops: list[Operation] = []
        forms = ArrayForms(ops.append, is_value_form=named.is_value_form)
        result = GENERAL.of(named)(forms, named)
        if not named.is_value_form and result is not named.outs[0]:
            forms.copy(result, named.outs[0])
        forms.free()
        _replace(named, ops, [result] if named.is_value_form else [])


def _replace(named: NamedOp, ops: Sequence[Operation], results: Sequence[SSAValue]) -> None:
    """Puts operations in the place of one; those that have its out get its attributes."""
    for op in ops:
        for inner in operations(op):
            inner.location = named.location
    ops[-1].attributes.update(named.attributes)
    Rewriter.insert_op(ops, InsertPoint.before(named))
    for old, new in zip(named.results, results, strict=True):
        new.name_hint = old.name_hint
    Rewriter.replace_op(named, [], results)
