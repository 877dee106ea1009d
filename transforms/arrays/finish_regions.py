"""Takes finish regions of integer sums and products apart: the sums are stored, then a map does what the region did."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects.atlas.arrays.gemm import GemmOp
from hologram.dialects.atlas.arrays.general import MapOp, ReduceOp
from hologram.dialects.atlas.instructions.types import dtype_of
from hologram.support.walking import operations
from hologram.transforms.arrays.array_forms import ArrayForms


def without_finish(op: GemmOp | ReduceOp) -> GemmOp | ReduceOp:
    """An operation over memory that stores its integers as they are; the operation itself if it does already."""
    if not op.finish.blocks or not _is_of_integers(op):
        return op
    ops: list[Operation] = []
    forms = ArrayForms(ops.append, is_value_form=False)
    new, map = _product(forms, op) if isinstance(op, GemmOp) else _reduction(forms, op)
    new.attributes.update(op.attributes)
    ops += [new, map]
    forms.free()
    for added in ops:
        for inner in operations(added):
            inner.location = op.location
    Rewriter.insert_op(ops, InsertPoint.before(op))
    Rewriter.erase_op(op)
    return new


def _is_of_integers(op: GemmOp | ReduceOp) -> bool:
    if isinstance(op, GemmOp):
        return isinstance(op.element, IntegerType)
    return all(dtype.is_integer for _, dtype in op.combiners)


def _product(forms: ArrayForms, op: GemmOp) -> tuple[GemmOp, MapOp]:
    dtype, (out,) = dtype_of(op.element), op.outs
    assert dtype is not None
    sums = forms.temporary(forms.sizes(out), dtype)
    new = GemmOp(op.ins, [sums], (), (), None, **op.scalars)
    same = AffineMap.identity(len(forms.sizes(out)))
    maps = [same, *(map for _, map in op.finishing), same]
    return new, MapOp([sums, *op.finish_ins], op.outs, maps, op.detach_region(op.finish))


def _reduction(forms: ArrayForms, op: ReduceOp) -> tuple[ReduceOp, MapOp]:
    dims = op.parallel_dims
    sizes = forms.sizes(op.outs[0])
    sums: list[SSAValue] = [forms.temporary(sizes, dtype) for _, dtype in op.combiners]
    place = op.out_maps[0]
    ins = list(op.maps[: len(op.ins)])
    # The names of regions are their numbers: both are looked up before one is gone.
    body, finish = [op.detach_region(region) for region in [op.body, op.finish]]
    new = ReduceOp(op.combiners, op.ins, sums, [*ins, *[place] * len(sums)], body)
    # A map has the parallel dimensions alone, in the order of the first out.
    loops = range(place.num_dims)
    moved = [AffineExpr.dimension(dims.index(d)) if d in dims else AffineExpr.constant(0) for d in loops]
    rest = [
        AffineMap(len(dims), 0, tuple(e.replace_dims_and_symbols(moved, []) for e in map.results))
        for map in op.maps[len(op.ins) :]
    ]
    same = AffineMap.identity(len(dims))
    return new, MapOp([*sums, *op.finish_ins], op.outs, [*[same] * len(sums), *rest], finish)
