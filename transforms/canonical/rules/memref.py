"""Memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, MemRefType, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from hologram.dialects.arith import constant_of
from hologram.dialects.shapes import compatible
from hologram.support.registry import Registry
from hologram.transforms.canonical.rules import Folds, Patterns
from hologram.transforms.canonical.rules.constants import integer


def _ranked(value: SSAValue) -> MemRefType[Attribute] | None:
    type = value.type
    return cast("MemRefType[Attribute]", type) if isinstance(type, MemRefType) else None


def fold_dim(op: memref.DimOp) -> Attribute | SSAValue | None:
    """A static size, or the operand that gave a dynamic one"""
    axis, type = constant_of(op.index), _ranked(op.source)
    if axis is None or type is None:
        return None
    shape = type.get_shape()
    if not 0 <= axis < len(shape):
        return None
    if shape[axis] != DYNAMIC_INDEX:
        return integer(shape[axis], op.result.type)
    made_by = op.source.owner
    if isinstance(made_by, (memref.AllocOp, memref.AllocaOp)):
        return made_by.dynamic_sizes[sum(size == DYNAMIC_INDEX for size in shape[:axis])]
    return None


def fold_rank(op: memref.RankOp) -> Attribute | None:
    """The number of axes that the type has"""
    type = _ranked(op.source)
    return None if type is None else integer(type.get_num_dims(), op.rank.type)


def fold_cast(op: memref.CastOp | memref.MemorySpaceCastOp) -> SSAValue | None:
    """A cast to the type that is there"""
    return op.source if op.source.type == op.dest.type else None


def fold_reshape(op: memref.ExpandShapeOp | memref.CollapseShapeOp) -> SSAValue | None:
    """A static shape that stays as it is"""
    type = _ranked(op.src)
    same = type is not None and type == op.result.type and DYNAMIC_INDEX not in type.get_shape()
    return op.src if same else None


def use_source_of_cast(op: Operation, rewriter: PatternRewriter) -> None:
    """An access through a cast is one to what was cast, unless the cast says more of it"""
    for number, operand in enumerate(op.operands):
        if isinstance(operand.owner, memref.CastOp) and says_no_more(operand.owner):
            op.operands[number] = operand.owner.source
            rewriter.notify_op_modified(op)


def says_no_more(op: memref.CastOp) -> bool:
    """Return whether sizes, strides and offset that a cast's result has are those of what is cast, or are not known."""
    source, result = _ranked(op.source), _ranked(op.dest)
    if source is None or result is None:
        return False
    known, told = _numbers_of(source), _numbers_of(result)
    return None not in (known, told) and all(t in (None, k) for k, t in zip(known or (), told or (), strict=True))


def _numbers_of(type: MemRefType[Attribute]) -> Sequence[int | None] | None:
    """The sizes, the offset and the strides of a type, None for those that are not known; None of a layout without."""
    strides = type.get_strides()
    if strides is None:
        return None
    sizes = [None if n == DYNAMIC_INDEX else n for n in type.get_shape()]
    return [*sizes, type.get_offset(), *strides]


def copy_what_was_cast(op: memref.CopyOp, rewriter: PatternRewriter) -> None:
    """A copy from or to a cast is one of what was cast, if its two sides keep the same shape"""
    old = list(op.operands)
    new = [o.owner.source if isinstance(o.owner, memref.CastOp) else o for o in old]
    first, last = (_ranked(o) for o in new)
    if new != old and first is not None and last is not None and first.get_shape() == last.get_shape():
        op.operands = new
        rewriter.notify_op_modified(op)


def join_casts(op: memref.CastOp, rewriter: PatternRewriter) -> None:
    """A cast of a cast is one, unless no memref has both types"""
    made_by = op.source.owner
    if not isinstance(made_by, memref.CastOp) or (first := _ranked(made_by.source)) is None:
        return
    last = _ranked(op.dest)
    if last is None or (compatible(first.get_shape(), last.get_shape()) and _layouts_agree(first, last)):
        op.operands[0] = made_by.source
        rewriter.notify_op_modified(op)


def _layouts_agree(a: MemRefType[Attribute], b: MemRefType[Attribute]) -> bool:
    """Return whether some memref may have the offset and strides of both types."""
    if a.layout == b.layout:
        return True
    ours, theirs = a.get_strides(), b.get_strides()
    if ours is None or theirs is None:
        return False
    pairs = zip((a.get_offset(), *ours), (b.get_offset(), *theirs), strict=True)
    return all(x == y or x is None or y is None for x, y in pairs)


def join_space_casts(op: memref.MemorySpaceCastOp, rewriter: PatternRewriter) -> None:
    """A cast of memory space of another is one"""
    made_by = op.source.owner
    if isinstance(made_by, memref.MemorySpaceCastOp):
        op.operands[0] = made_by.source
        rewriter.notify_op_modified(op)


def drop_idle_copy(op: memref.CopyOp, rewriter: PatternRewriter) -> None:
    """A copy to itself, or of no elements, does nothing"""
    if op.source is op.destination or any(0 in t.get_shape() for o in op.operands if (t := _ranked(o)) is not None):
        rewriter.erase(op)


def drop_unused_buffer(op: memref.AllocOp | memref.AllocaOp, rewriter: PatternRewriter) -> None:
    """A buffer that is only written to and freed is not needed"""
    users = [use.operation for use in op.memref.uses]
    if all(
        isinstance(user, memref.DeallocOp) or (isinstance(user, memref.StoreOp) and user.value is not op.memref)
        for user in users
    ):
        for user in dict.fromkeys(users):
            rewriter.erase(user)
        rewriter.erase(op)


def make_sizes_static(op: memref.AllocOp | memref.AllocaOp, rewriter: PatternRewriter) -> None:
    """A size that is a constant is part of the type, and a cast gives the type that was there"""
    old = cast("MemRefType[Any]", op.memref.type)
    shape, kept, operands = list(old.get_shape()), list[SSAValue](), iter(op.dynamic_sizes)
    for axis, size in enumerate(shape):
        if size != DYNAMIC_INDEX:
            continue
        operand = next(operands)
        known = constant_of(operand)
        if known is None or known < 0:
            kept.append(operand)
        else:
            shape[axis] = known
    if len(kept) == len(op.dynamic_sizes):
        return
    segments = DenseArrayBase.from_list(i32, [len(kept), len(op.symbol_operands)])
    new = type(op).create(
        operands=[*kept, *op.symbol_operands],
        result_types=[MemRefType(old.element_type, shape, old.layout, old.memory_space)],
        properties=op.properties | {"operandSegmentSizes": segments},
        attributes=op.attributes,
    )
    rewriter.replace(op, [new, memref.CastOp.get(new.results[0], old)])


def make_subview_static(op: memref.SubviewOp, rewriter: PatternRewriter) -> None:
    """Offsets, sizes and strides that are constants are part of the type, and a cast gives the type that was there"""
    source, old = _ranked(op.source), _ranked(op.result)
    if source is None or old is None or source.get_num_dims() != old.get_num_dims() or source.get_strides() is None:
        return
    offsets = _known(op.static_offsets, op.offsets, lambda n: n >= 0)
    sizes = _known(op.static_sizes, op.sizes, lambda n: n >= 0)
    strides = _known(op.static_strides, op.strides, lambda n: n != 0)
    dynamic = sum(isinstance(value, SSAValue) for value in (*offsets, *sizes, *strides))
    is_new = dynamic != len(op.operands) - 1
    if not is_new or not all(map(_is_inside, source.get_shape(), offsets, sizes, strides)):
        return
    type = memref.SubviewOp.infer_result_type(source, offsets, sizes, strides)
    new = memref.SubviewOp.get(op.source, offsets, sizes, strides, type)
    rewriter.replace(op, new if type == old else [new, memref.CastOp.get(new.result, old)])


def _known(
    static: DenseArrayBase[Any], dynamic: Sequence[SSAValue], is_allowed: Callable[[int], bool]
) -> list[SSAValue | int]:
    """The numbers and values of a list, where a constant that is allowed is a number."""
    values, mixed = iter(dynamic), list[SSAValue | int]()
    for number in cast("Sequence[int]", static.get_values()):
        value = next(values) if number == DYNAMIC_INDEX else number
        known = constant_of(value) if isinstance(value, SSAValue) else None
        mixed.append(value if known is None or not is_allowed(known) else known)
    return mixed


def _is_inside(axis: int, offset: SSAValue | int, size: SSAValue | int, stride: SSAValue | int) -> bool:
    """Return whether a part of an axis is not known to pass its end, which the verifier would refuse."""
    if axis == DYNAMIC_INDEX or not isinstance(offset, int):
        return True
    if not isinstance(size, int) or not isinstance(stride, int):
        return offset < axis
    return size == 0 or 0 <= offset + (size - 1) * stride < axis > offset


def drop_whole_subview(op: memref.SubviewOp, rewriter: PatternRewriter) -> None:
    """A part that is all of a static memref is a cast of it"""
    source, result = _ranked(op.source), _ranked(op.result)
    if source is None or result is None or source.get_shape() != tuple(op.static_sizes.get_values()):
        return
    same = source.get_shape() == result.get_shape() and DYNAMIC_INDEX not in source.get_shape()
    if same and not any(op.static_offsets.get_values()) and all(s == 1 for s in op.static_strides.get_values()):
        if source == result:
            rewriter.replace(op, [], [op.source])
        else:
            rewriter.replace(op, memref.CastOp.get(op.source, result))


FOLDS: Folds = Registry(
    {
        memref.DimOp: fold_dim,
        memref.RankOp: fold_rank,
        memref.CastOp: fold_cast,
        memref.MemorySpaceCastOp: fold_cast,
        memref.ExpandShapeOp: fold_reshape,
        memref.CollapseShapeOp: fold_reshape,
    }
)
PATTERNS: Patterns = Registry(
    {
        memref.AllocOp: (drop_unused_buffer, make_sizes_static),
        memref.AllocaOp: (drop_unused_buffer, make_sizes_static),
        memref.CastOp: (join_casts,),
        memref.MemorySpaceCastOp: (join_space_casts,),
        memref.CopyOp: (drop_idle_copy, copy_what_was_cast),
        memref.SubviewOp: (make_subview_static, drop_whole_subview),
        memref.LoadOp: (use_source_of_cast,),
        memref.StoreOp: (use_source_of_cast,),
        memref.DeallocOp: (use_source_of_cast,),
        memref.DimOp: (use_source_of_cast,),
        memref.AtomicRMWOp: (use_source_of_cast,),
    }
)
