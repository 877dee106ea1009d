"""The normalisations as two reductions and a map: what fusion makes of the formula written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.arrays import element_type, shape_of
from hologram.dialects.atlas.norms import BatchNormOp, GroupNormOp, LayerNormOp, LayerScaleOp
from hologram.dialects.atlas.types import DType, dtype_of, widened
from hologram.transforms.array_forms import ArrayForms, Scalars, Size, axes


@dataclass(frozen=True)
class _Norm:
    """A normalisation of x over some of its dimensions, to x's type by way of `wide`."""

    forms: ArrayForms
    x: SSAValue
    over: Sequence[int]
    eps: float

    @property
    def dtype(self) -> DType:
        dtype = dtype_of(element_type(self.x.type))
        assert dtype is not None
        return dtype

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
        return s.op(scalar.SubOp(self.wide, s.cvt(self.dtype, self.wide, x), mean))

    def deviation(self, s: Scalars, variance: SSAValue) -> SSAValue:
        """sqrt(v + eps)."""
        shifted = s.op(scalar.AddOp(self.wide, variance, s.constant(self.eps, self.wide)))
        return s.op(scalar.SqrtOp(self.wide, shifted))

    def statistics(self) -> tuple[SSAValue, SSAValue]:
        """mu and sqrt(v + eps), over the kept dimensions."""
        forms, wide, x = self.forms, self.wide, self.x
        sizes: list[Size] = [forms.size(x, d) for d in self.kept]
        count = forms.number(forms.product([forms.size(x, d) for d in self.over]), wide)
        all, kept, none = axes(self.rank, *range(self.rank)), axes(self.rank, *self.kept), axes(self.rank)

        def square(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
            d = self.less(s, args[0], args[1])
            return s.op(scalar.MulOp(wide, d, d))

        def divided(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
            return s.op(scalar.DivOp(wide, args[0], args[1]))

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
            unit = s.op(
                scalar.DivOp(wide, self.less(s, x, s.cvt(given, wide, mu)), self.deviation(s, v) if is_variance else v)
            )
            scaled = s.op(scalar.MulOp(wide, unit, gamma))
            return s.cvt(wide, self.dtype, s.op(scalar.AddOp(wide, scaled, beta)))

        same = AffineMap.identity(self.rank)
        statistics, weight = maps
        return self.forms.map(
            [self.x, mean, spread, *weights], out, [same, statistics, statistics, weight, weight, same], value
        )


def layer_norm(forms: ArrayForms, op: LayerNormOp) -> SSAValue:
    """Over the last axes."""
    rank, outer = op.rank(0), op.rank(0) - op.rank(1)
    norm = _Norm(forms, op.ins[0], range(outer, rank), op.eps.value.data)
    maps = [axes(rank, *range(outer)), axes(rank, *range(outer, rank))]
    return norm.normalised(op.outs[0], *norm.statistics(), op.ins[1:3], maps)


def batch_norm(forms: ArrayForms, op: BatchNormOp) -> SSAValue:
    """Over all axes but the second, with given statistics or those of x."""
    rank = op.rank(0)
    norm = _Norm(forms, op.ins[0], [d for d in range(rank) if d != 1], op.eps.value.data)
    maps, weights = [axes(rank, 1)] * 2, op.ins[1:3]
    if len(op.ins) == 5:
        return norm.normalised(op.outs[0], op.ins[3], op.ins[4], weights, maps, is_variance=True)
    return norm.normalised(op.outs[0], *norm.statistics(), weights, maps)


def group_norm(forms: ArrayForms, op: GroupNormOp) -> SSAValue:
    """Over groups of channels and what follows them: x as (batch, group, channel in the group, place)."""
    groups, eps = op.groups.value.data, op.eps.value.data
    batch, channels, *places = forms.sizes(op.ins[0])
    forms.check_multiple(channels, groups, "atlas.group_norm: the channels do not make equal groups")
    part = forms.divide(channels, groups)
    shape: list[Size] = [batch, groups, part, forms.product(places)]
    x = forms.reshape(forms.dense(op.ins[0]), shape)
    norm = _Norm(forms, x, (2, 3), eps)
    weights = [forms.reshape(forms.dense(w), [groups, part]) for w in op.ins[1:3]]
    out = op.outs[0] if forms.is_dense(op.outs[0]) else forms.like(op.outs[0])
    view = forms.temporary(shape, norm.dtype) if op.is_value_form else forms.reshape(out, shape)
    result = norm.normalised(view, *norm.statistics(), weights, [axes(4, 0, 1), axes(4, 1, 2)])
    return forms.reshape(result, [batch, channels, *places]) if op.is_value_form else out


def layer_scale(forms: ArrayForms, op: LayerScaleOp) -> SSAValue:
    """A factor for each place of the last axis."""
    dtype = dtype_of(element_type(op.outs[0].type))
    assert dtype is not None
    rank = op.rank(0)
    same = AffineMap.identity(rank)
    maps = [same, axes(rank, rank - 1), same]
    return forms.map(op.ins, op.outs[0], maps, lambda s, args: s.op(scalar.MulOp(dtype, *args)))
