"""Gives named array-level instructions with the meaning of a map or a reduction their general form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects.atlas import collectives, norms, products
from hologram.dialects.atlas.arrays import MapOp, ReduceOp, YieldOp, element_type, shape_of
from hologram.dialects.atlas.named import (
    CopyOp,
    ElementwiseOp,
    FillOp,
    NamedOp,
    ParallelMapBinaryOp,
    ParallelMapOp,
    ParallelReduceOp,
    TransposeOp,
)
from hologram.dialects.atlas.scalar import INSTRUCTIONS, CvtOp
from hologram.dialects.atlas.types import working_type
from hologram.errors import UsageError, did_you_mean
from hologram.transforms import generalize_collectives, generalize_norms, generalize_products
from hologram.transforms.array_forms import ArrayForms
from hologram.walking import operations

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
    for named in [o for o in operations(module) if (type(o) in FORMS or type(o) in CODES) and not keep(o)]:
        assert isinstance(named, NamedOp)
        if type(named) in FORMS:
            general = FORMS[type(named)](named)
            _replace(named, [general], general.results)
        else:
            _replace(named, *_code(named))


def _code(named: NamedOp) -> tuple[list[Operation], list[SSAValue]]:
    """The operations that an instruction becomes, and the results that stand for its own."""
    ops: list[Operation] = []
    forms = ArrayForms(ops.append, is_value_form=named.is_value_form)
    result = CODES[type(named)](forms, named)
    if not named.is_value_form and result is not named.outs[0]:
        forms.copy(result, named.outs[0])
    forms.free()
    return ops, [result] if named.is_value_form else []


def _replace(named: NamedOp, ops: Sequence[Operation], results: Sequence[SSAValue]) -> None:
    """Puts operations in the place of one; those that have its out get its attributes."""
    for op in ops:
        for inner in op.walk():
            inner.location = named.location
    ops[-1].attributes.update(named.attributes)
    Rewriter.insert_op(ops, InsertPoint.before(named))
    for old, new in zip(named.results, results, strict=True):
        new.name_hint = old.name_hint
    Rewriter.replace_op(named, [], results)


def _block(values: Sequence[SSAValue], compute: Callable[[Sequence[SSAValue]], Sequence[Operation]]) -> Block:
    """A region of scalars over elements of `values`: the operations, the last of which gives the result."""
    block = Block(arg_types=[element_type(v.type) for v in values])
    ops = compute(block.args)
    block.add_ops(ops)
    block.add_op(YieldOp(*(ops[-1].results if ops else block.args)))
    return block


def _rank(op: NamedOp) -> int:
    return len(shape_of(op.outs[0].type))


def _fill(op: FillOp) -> MapOp:
    rank = _rank(op)
    maps = [AffineMap(rank, 0, ()), AffineMap.identity(rank)]
    return MapOp(op.ins, op.outs, maps, _block(op.ins, lambda args: ()))


def _copy(op: CopyOp) -> MapOp:
    return MapOp(op.ins, op.outs, [AffineMap.identity(_rank(op))] * 2, _block(op.ins, lambda args: ()))


def _transpose(op: TransposeOp) -> MapOp:
    axes, rank = op.axes, _rank(op)
    # Axis i of the out is axis axes[i] of the in, so axis a of the in is dimension axes.index(a).
    read = AffineMap(rank, 0, tuple(AffineExpr.dimension(axes.index(a)) for a in range(rank)))
    return MapOp(op.ins, op.outs, [read, AffineMap.identity(rank)], _block(op.ins, lambda args: ()))


def _parallel_map(op: ElementwiseOp) -> MapOp:
    scalar: Any = INSTRUCTIONS[op.operation.data]
    maps = [AffineMap.identity(_rank(op))] * (len(op.ins) + 1)
    return MapOp(op.ins, op.outs, maps, _block(op.ins, lambda args: [scalar(op.type.dtype, *args)]))


def _parallel_reduce(op: ParallelReduceOp) -> ReduceOp:
    kind, dtype = op.combiner
    rank = len(shape_of(op.ins[0].type))
    maps = [AffineMap.identity(rank), AffineMap(rank, 0, ())]
    wide = working_type(kind.value, dtype)
    if wide is dtype:
        return ReduceOp([(kind, dtype)], op.ins, op.outs, maps, _block(op.ins, lambda args: ()))
    body = _block(op.ins, lambda args: [CvtOp(dtype, wide, args[0])])
    finish = Block(arg_types=[wide.ir])
    narrow = CvtOp(wide, dtype, finish.args[0])
    finish.add_ops([narrow, YieldOp(narrow)])
    return ReduceOp([(kind, wide)], op.ins, op.outs, maps, body, (), finish)


FORMS: dict[type[Operation], Callable[[Any], MapOp | ReduceOp]] = {
    FillOp: _fill,
    CopyOp: _copy,
    TransposeOp: _transpose,
    ParallelMapOp: _parallel_map,
    ParallelMapBinaryOp: _parallel_map,
    ParallelReduceOp: _parallel_reduce,
}

CODES: dict[type[Operation], Callable[[ArrayForms, Any], SSAValue]] = {
    norms.LayerNormOp: generalize_norms.layer_norm,
    norms.BatchNormOp: generalize_norms.batch_norm,
    norms.GroupNormOp: generalize_norms.group_norm,
    norms.LayerScaleOp: generalize_norms.layer_scale,
    collectives.AllReduceOp: generalize_collectives.all_reduce,
    collectives.AllGatherOp: generalize_collectives.all_gather,
    products.BatchedGemmOp: generalize_products.batched_gemm,
    products.MixedPrecisionGemmOp: generalize_products.mixed_precision_gemm,
    products.QuantizedGemmOp: generalize_products.quantized_gemm,
    products.TensorContractOp: generalize_products.tensor_contract,
}
"""Those that become several operations."""
