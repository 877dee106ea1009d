"""Memref operations that make another view of the same memory: only pointers, sizes and strides change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from xdsl.dialects import memref as xdsl_memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DenseArrayBase, IntegerAttr, i8, i64
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr

from hologram.dialects import memref
from hologram.dialects.layouts import Layout
from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.types import (
    LLVM_TYPES,
    Size,
    Sizes,
    View,
    define_view,
    index_value,
    layout_or_error,
    pointer_type,
    size_value,
    view,
)

RULES = Rules(LLVM_TYPES)


def _mixed(rw: Rewriter, static: DenseArrayBase[Any], dynamic: Iterable[SSAValue]) -> list[Size]:
    """Return a list of which the unknown entries are operands."""
    given = iter(dynamic)
    return [index_value(rw, next(given)) if s == DYNAMIC_INDEX else int(s) for s in static.iter_values()]


@RULES.on(xdsl_memref.CastOp)
def convert_cast(rw: Rewriter, op: xdsl_memref.CastOp) -> None:
    source = view(rw, op.source)
    define_view(rw, op.dest, source.pointer, source.sizes, lambda: source.strides(rw))


@RULES.on(xdsl_memref.AssumeAlignmentOp)
def convert_assume_alignment(rw: Rewriter, op: xdsl_memref.AssumeAlignmentOp) -> None:
    """Keep the pointer, and tell LLVM its alignment."""
    parts = rw.values(op.memref)
    ll.assume_aligned(rw, parts[0], op.alignment.value.data)
    rw.define(op.result, *parts)


@RULES.on(xdsl_memref.MemorySpaceCastOp)
def convert_memory_space_cast(rw: Rewriter, op: xdsl_memref.MemorySpaceCastOp) -> None:
    pointer, *rest = rw.values(op.source)
    kind = pointer_type(rw, op.dest.type)
    if kind != pointer.type:
        pointer = ll.emit(rw, "addrspacecast", (pointer,), kind)
    rw.define(op.dest, pointer, *rest)


# Subviews


@RULES.on(xdsl_memref.SubviewOp)
def convert_subview(rw: Rewriter, op: xdsl_memref.SubviewOp) -> None:
    source = view(rw, op.source)
    offsets = _mixed(rw, op.static_offsets, op.offsets)
    sizes = _mixed(rw, op.static_sizes, op.sizes)
    steps = _mixed(rw, op.static_strides, op.strides)
    # A view without elements may start anywhere, so the address may lie outside the object.
    surely = all(isinstance(s, int) and s > 0 for s in sizes)
    flags = ll.GEP_NONE if not surely else ll.GEP_INBOUNDS_NUW if source.layout.forward else ll.GEP_INBOUNDS
    pointer = ll.gep(rw, source.pointer, source.layout.element, source.offset(rw, offsets, exists=surely), flags)
    arithmetic = Sizes(rw, ll.NSW)
    strides = [arithmetic.mul(stride, step) for stride, step in zip(source.strides(rw), steps, strict=True)]
    layout = layout_or_error(rw, op.result.type)
    kept = _kept_dimensions(sizes, strides, layout)
    if kept is None:
        raise PassError(
            op, "memref-subview-rank", f"the dimensions of {op.result.type} are not those of the subview without ones"
        )
    define_view(rw, op.result, pointer, [sizes[k] for k in kept], lambda: [strides[k] for k in kept])


def _kept_dimensions(sizes: Sequence[Size], strides: Sequence[Size], result: Layout) -> list[int] | None:
    """Return the dimensions that a rank-reducing subview keeps: those it drops have size one."""

    def fits(size: Size, stride: Size, axis: int) -> bool:
        wanted_size, wanted_stride = result.sizes[axis], result.strides[axis]
        if wanted_size is not None and isinstance(size, int) and size != wanted_size:
            return False
        return not (wanted_stride is not None and isinstance(stride, int) and stride != wanted_stride and size != 1)

    def search(at: int, axis: int) -> Iterator[list[int]]:
        if at == len(sizes):
            if axis == len(result.sizes):
                yield []
            return
        if axis < len(result.sizes) and fits(sizes[at], strides[at], axis):
            yield from ([at, *rest] for rest in search(at + 1, axis + 1))
        if sizes[at] == 1:
            yield from search(at + 1, axis)

    return next(search(0, 0), None)


@RULES.on(memref.TransposeOp)
def convert_transpose(rw: Rewriter, op: memref.TransposeOp) -> None:
    source = view(rw, op.in_)
    order = [e.position for e in op.permutation.data.results if isinstance(e, AffineDimExpr)]
    sizes = [source.sizes[k] for k in order]
    define_view(rw, op.result, source.pointer, sizes, lambda: [source.strides(rw)[k] for k in order])


# Reshapes


def _groups(reassociation: ArrayAttr[Any]) -> list[list[int]]:
    return [[axis.value.data for axis in group.data if isinstance(axis, IntegerAttr)] for group in reassociation.data]


@RULES.on(xdsl_memref.CollapseShapeOp)
def convert_collapse_shape(rw: Rewriter, op: xdsl_memref.CollapseShapeOp) -> None:
    source = view(rw, op.src)
    groups = _groups(op.reassociation)
    sizes = [Sizes(rw).product([source.sizes[k] for k in group]) for group in groups]
    define_view(rw, op.result, source.pointer, sizes, lambda: [_collapsed_stride(rw, source, g) for g in groups])


def _collapsed_stride(rw: Rewriter, source: View, group: Sequence[int]) -> Size:
    """Return the stride of the innermost dimension that has more than one element: those of size one say nothing."""
    strides = source.strides(rw)
    chosen: Size | None = None
    for axis in group:
        size, stride = source.sizes[axis], strides[axis]
        if size == 1:
            continue
        if chosen is None or isinstance(size, int):
            chosen = stride
        else:
            several = ll.Llvm(rw).compare("ne", size, ll.constant_i64(rw, 1))
            chosen = ll.Llvm(rw).select(several, size_value(rw, stride), size_value(rw, chosen))
    return strides[group[-1]] if chosen is None else chosen


@RULES.on(xdsl_memref.ExpandShapeOp)
def convert_expand_shape(rw: Rewriter, op: xdsl_memref.ExpandShapeOp) -> None:
    source = view(rw, op.src)
    sizes = _mixed(rw, op.static_output_shape, op.output_shape)
    groups = _groups(op.reassociation)

    def strides() -> list[Size]:
        strides: list[Size] = []
        for group, stride in zip(groups, source.strides(rw), strict=True):
            inner = [sizes[axis] for axis in reversed(group[1:])]
            strides += [*accumulate(inner, Sizes(rw, ll.NSW).mul, initial=stride)][::-1]
        return strides

    define_view(rw, op.result, source.pointer, sizes, strides)


# The memory below a view


def _base(rw: Rewriter, source: View) -> tuple[SSAValue, Size]:
    """Return the pointer that offsets count from, and the offset.

    Ours are at the first element already, so an offset that the type doesn't know is 0; one that it does know must come
    out, since others may have folded it.
    """
    offset = source.layout.type.get_offset() or 0
    return ll.gep(rw, source.pointer, source.layout.element, -offset, 0), offset


@RULES.on(xdsl_memref.ReinterpretCastOp)
def convert_reinterpret_cast(rw: Rewriter, op: xdsl_memref.ReinterpretCastOp) -> None:
    source = view(rw, op.source)
    if source.layout.type.get_offset() is None:
        raise PassError(
            op,
            "memref-reinterpret-offset",
            f"memref.reinterpret_cast counts from the start of the buffer, which {source.layout.type} doesn't know",
            hint="cast the buffer it is a view of, or take a memref.subview",
        )
    base, _ = _base(rw, source)
    (offset,) = _mixed(rw, op.static_offsets, op.offsets)
    pointer = ll.gep(rw, base, source.layout.element, offset, 0)
    strides = _mixed(rw, op.static_strides, op.strides)
    define_view(rw, op.result, pointer, _mixed(rw, op.static_sizes, op.sizes), lambda: strides)


@RULES.on(xdsl_memref.ExtractStridedMetaDataOp)
def convert_extract_strided_metadata(rw: Rewriter, op: xdsl_memref.ExtractStridedMetaDataOp) -> None:
    source = view(rw, op.source)
    base, offset = _base(rw, source)
    rw.define(op.base_buffer, base)
    rw.define(op.offset, size_value(rw, offset))
    for result, size in zip(op.sizes, source.sizes, strict=True):
        rw.define(result, size_value(rw, size))
    for result, stride in zip(op.strides, source.strides(rw), strict=True):
        rw.define(result, size_value(rw, stride))


@RULES.on(xdsl_memref.ExtractAlignedPointerAsIndexOp)
def convert_extract_pointer(rw: Rewriter, op: xdsl_memref.ExtractAlignedPointerAsIndexOp) -> None:
    base, _ = _base(rw, view(rw, op.source))
    rw.define(op.aligned_pointer, ll.emit(rw, "ptrtoint", (base,), i64))


@RULES.on(xdsl_memref.ViewOp)
def convert_view(rw: Rewriter, op: xdsl_memref.ViewOp) -> None:
    source = view(rw, op.source)
    pointer = ll.gep(rw, source.pointer, i8, rw.value(op.byte_shift), 0)
    layout = layout_or_error(rw, op.result.type)
    given = iter(op.sizes)
    sizes: list[Size] = [rw.value(next(given)) if s is None else s for s in layout.sizes]
    define_view(rw, op.result, pointer, sizes, lambda: [])
