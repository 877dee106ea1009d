"""Collectives of a launch on one device: copies."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

from hologram.dialects.atlas.collectives import AllGatherOp, AllReduceOp
from hologram.transforms.array_forms import ArrayForms, axes


def all_reduce(forms: ArrayForms, op: AllReduceOp) -> SSAValue:
    """One value combined."""
    return forms.copy(op.ins[0], op.outs[0])


def all_gather(forms: ArrayForms, op: AllGatherOp) -> SSAValue:
    """One slice of the out."""
    rank = op.rank(0) + 1
    maps = [axes(rank, *range(1, rank)), AffineMap.identity(rank)]
    return forms.map(op.ins, op.outs[0], maps, lambda s, args: args[0])
