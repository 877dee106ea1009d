"""What a memref of a kernel is in flat form: a buffer of one dimension, a place in it, sizes and strides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntAttr, IntegerAttr, MemRefType, StridedLayoutAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from hologram.dialects.memref import TransposeOp
from hologram.lowering.device_launches import Indices
from hologram.lowering.index_arithmetic import Index

Lazy = Index | Callable[[], Index]
"""An index, or what gives it when it is needed."""


@dataclass(frozen=True)
class Flat:
    """A view of a flat buffer."""

    base: SSAValue
    offset: Lazy
    """In elements."""
    sizes: Sequence[Lazy]
    strides: Sequence[Lazy]

    def place(self, at: Indices, indices: Sequence[SSAValue | int]) -> Index:
        """The number of an element in the buffer. What is known of it is added last: neighbours share the rest."""
        total, known = now(self.offset), 0
        for index, lazy in zip(indices, self.strides, strict=True):
            stride = now(lazy)
            begin, steps = _apart(index) if isinstance(stride, int) else (index, 0)
            total = at.add(total, at.mul(begin, stride))
            known += steps * stride if isinstance(stride, int) else 0
        return at.add(total, known)


def _apart(index: SSAValue | int) -> tuple[SSAValue | int, int]:
    """An index without the numbers that are added to it, and their sum."""
    known = 0
    while isinstance(index, SSAValue) and isinstance(index.owner, arith.AddiOp):
        added = index.owner.rhs.owner
        if not isinstance(added, arith.ConstantOp) or not isinstance(added.value, IntegerAttr):
            break
        index, known = index.owner.lhs, known + added.value.value.data
    return index, known


def now(index: Lazy) -> Index:
    """The index itself."""
    return index() if callable(index) else index


def row_major(at: Indices, sizes: Sequence[Lazy]) -> list[Lazy]:
    """The strides of elements that lie densely, the last dimension innermost."""
    strides: list[Lazy] = []
    stride: Index = 1
    for number, size in reversed(list(enumerate(sizes))):
        strides.append(stride)
        if number:
            stride = at.mul(stride, now(size))
    return strides[::-1]


def static_layout(type: MemRefType[Attribute]) -> tuple[int | None, Sequence[int | None] | None]:
    """The offset and the strides that a type says, None for what is dynamic; without strides it is dense."""
    layout = type.layout
    if not isinstance(layout, StridedLayoutAttr):
        return 0, None
    strides = [s.data if isinstance(s, IntAttr) else None for s in layout.strides.data]
    return layout.offset.data if isinstance(layout.offset, IntAttr) else None, strides


def mixed(static: Any, dynamic: Sequence[SSAValue]) -> list[Index]:
    """Numbers of an attribute, with operands for those that it leaves open."""
    given: Iterator[SSAValue] = iter(dynamic)
    return [next(given) if n == DYNAMIC_INDEX else n for n in cast("Sequence[int]", static.get_values())]


def groups_of(reassociation: Any) -> list[list[int]]:
    """The axes of each group of a reshape."""
    return [[cast("IntegerAttr[Any]", n).value.data for n in cast("ArrayAttr[Any]", g)] for g in reassociation]


# Views


def view_of(op: Operation, source: Flat, at: Indices) -> Flat | None:
    """What the result of a view is, or None for an operation that is none."""
    match op:
        case memref.CastOp() | memref.MemorySpaceCastOp() | memref.AssumeAlignmentOp():
            return source
        case memref.SubviewOp():
            return _subview(op, source, at)
        case TransposeOp():
            order = [cast("AffineDimExpr", r).position for r in op.permutation.data.results]
            return Flat(
                source.base, source.offset, [source.sizes[n] for n in order], [source.strides[n] for n in order]
            )
        case memref.CollapseShapeOp():
            return _collapse(op, source, at)
        case memref.ExpandShapeOp():
            return _expand(op, source, at)
        case memref.ReinterpretCastOp():
            (offset,) = mixed(op.static_offsets, op.offsets)
            strides = mixed(op.static_strides, op.strides)
            return Flat(source.base, offset, mixed(op.static_sizes, op.sizes), strides)
        case _:
            return None


def _subview(op: memref.SubviewOp, source: Flat, at: Indices) -> Flat:
    offsets, sizes = mixed(op.static_offsets, op.offsets), mixed(op.static_sizes, op.sizes)
    steps = mixed(op.static_strides, op.strides)
    offset = source.place(at, offsets)
    strides = [at.mul(now(s), step) for s, step in zip(source.strides, steps, strict=True)]
    kept = _kept_axes(op)
    return Flat(source.base, offset, [sizes[n] for n in kept], [strides[n] for n in kept])


def _kept_axes(op: memref.SubviewOp) -> list[int]:
    """The axes of the source that the result has: those of size 1 that it lacks are dropped, the first ones first."""
    wanted = list(op.result.type.get_shape())
    sizes = list(cast("Sequence[int]", op.static_sizes.get_values()))
    drop = len(sizes) - len(wanted)
    kept: list[int] = []
    for axis, size in enumerate(sizes):
        matches = len(kept) < len(wanted) and wanted[len(kept)] == size
        if drop and size == 1 and not (matches and len(sizes) - axis - 1 < drop):
            drop -= 1
        else:
            kept.append(axis)
    return kept


def _collapse(op: memref.CollapseShapeOp, source: Flat, at: Indices) -> Flat:
    sizes: list[Lazy] = []
    strides: list[Lazy] = []
    shape = op.result.type.get_shape()
    for static, group in zip(shape, groups_of(op.reassociation), strict=True):
        size: Index = 1
        for axis in group if static == DYNAMIC_INDEX else ():
            size = at.mul(size, now(source.sizes[axis]))
        sizes.append(size if static == DYNAMIC_INDEX else static)
        strides.append(source.strides[group[-1]])
    return Flat(source.base, source.offset, sizes, strides)


def _expand(op: memref.ExpandShapeOp, source: Flat, at: Indices) -> Flat:
    sizes = mixed(op.static_output_shape, op.output_shape)
    strides: list[Lazy] = [1] * len(sizes)
    for number, group in enumerate(groups_of(op.reassociation)):
        stride = now(source.strides[number])
        for axis in reversed(group):
            strides[axis] = stride
            stride = at.mul(stride, sizes[axis])
    return Flat(source.base, source.offset, sizes, strides)
