"""Shapes of vectors: broadcasts, casts, transpositions, shuffles and slices."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

from xdsl.dialects import arith, ub
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    Float16Type,
    Float32Type,
    IndexType,
    IntegerAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from hologram.dialects.arith import constant_of
from hologram.transforms.canonical.rules.constants import integer, width_of
from hologram.transforms.canonical.rules.dense import (
    axes_of,
    can_broadcast,
    cell_of,
    cells,
    create,
    dense_of,
    from_cells,
    is_poison,
    is_vector,
    maker,
    replace_by,
    scalable_of,
    scalar_constant,
    shape_of,
    size_of,
    splat,
    splat_cell,
    strides_of,
    vector_of,
)
from hologram.transforms.canonical.rules.vector_extract import POISON, numbers, positioned, repeated

# Folds


def fold_broadcast(op: Any) -> Attribute | SSAValue | None:
    """To the same type, of poison, or of a constant that repeats one element"""
    source, type = op.operands[0], op.results[0].type
    if source.type == type:
        return source
    if is_poison(source):
        return ub.PoisonAttr()
    cell = splat_cell(dense_of(source)) or cell_of(scalar_constant(source))
    return None if cell is None else splat(type, cell)


def fold_shape_cast(op: Any) -> Attribute | SSAValue | None:
    """To the same type, back to the type before, of poison, or of a constant"""
    source, type = op.operands[0], op.results[0].type
    if source.type == type:
        return source
    if is_poison(source):
        return ub.PoisonAttr()
    inner = maker(source, "vector.shape_cast", "vector.broadcast")
    if inner is not None and inner.operands[0].type == type:
        return inner.operands[0]
    dense = dense_of(source)
    return None if dense is None else from_cells(type, cells(dense))


def fold_bitcast(op: Any) -> Attribute | SSAValue | None:
    """To the same type, back to the type before, of poison, or of an element that is repeated"""
    source, type = op.operands[0], op.results[0].type
    if source.type == type:
        return source
    inner = maker(source, "vector.bitcast")
    if inner is not None and inner.operands[0].type == type:
        return inner.operands[0]
    if is_poison(source):
        return ub.PoisonAttr()
    cell = splat_cell(dense_of(source))
    before, after = source.type.element_type, type.element_type
    if cell is None:
        return None
    if isinstance(before, Float16Type) and isinstance(after, Float32Type):
        return splat(type, cell * 2)
    narrow, wide = width_of(before), width_of(after)
    if narrow is None or wide is None or isinstance(before, IndexType) or isinstance(after, IndexType):
        return None
    if wide % narrow:
        return None
    part = int.from_bytes(cell, "little") & ((1 << narrow) - 1)
    bits = sum(part << n for n in range(0, wide, narrow))
    whole = cell_of(integer(bits, after))
    return None if whole is None else splat(type, whole)


def fold_transpose(op: Any) -> Attribute | SSAValue | None:
    """Of an order of axes that changes nothing, of poison, or of a constant that repeats one element"""
    source, type = op.operands[0], op.results[0].type
    if (cell := splat_cell(dense_of(source))) is not None:
        return splat(type, cell)
    if is_poison(source):
        return ub.PoisonAttr()
    return source if source.type == type and keeps_order(op) else None


def order_of(op: Any) -> list[int]:
    """The order of axes of a `vector.transpose`."""
    return list(op.properties["permutation"].get_values())


def keeps_order(op: Any) -> bool:
    """Return whether the elements of a transposed vector stay in their row-major order."""
    axes = axes_of(op.operands[0].type)
    moved = [n for n in order_of(op) if axes[n] != (1, False)]
    return moved == sorted(moved)


def fold_shuffle(op: Any) -> Attribute | SSAValue | None:
    """All of one operand, of poison, or of constants"""
    first, second = op.v1, op.v2
    mask: list[int] = list(op.mask.get_values())
    if not shape_of(first.type):
        return None
    count = shape_of(first.type)[0]
    if mask == [*range(count)]:
        return first
    if mask == [*range(count, count + shape_of(second.type)[0])]:
        return second
    if is_poison(first) and is_poison(second):
        return ub.PoisonAttr()
    if len(shape_of(first.type)) != 1:
        return None
    parts = [_cells_or_poison(v) for v in (first, second)]
    if None in parts:
        return None
    a, b = cast("list[list[bytes]]", parts)
    # What is poison may be any element: it is the first one that is not.
    any_cell = (a or b)[0]
    known: list[bytes] = (a or [any_cell] * count) + (b or [any_cell] * shape_of(second.type)[0])
    return from_cells(op.results[0].type, [any_cell if n == POISON else known[n] for n in mask])


def _cells_or_poison(value: SSAValue) -> list[bytes] | None:
    if is_poison(value):
        return []
    dense = dense_of(value)
    return None if dense is None else cells(dense)


def fold_extract_slice(op: Any) -> Attribute | SSAValue | None:
    """All of the vector, of poison, or of a constant"""
    source, type = op.operands[0], op.results[0].type
    if source.type == type:
        return source
    dense, cell = dense_of(source), splat_cell(dense_of(source))
    if cell is not None:
        return splat(type, cell)
    if dense is None or any(scalable_of(source.type)):
        return None
    shape, offsets = shape_of(source.type), [*numbers(op.properties["offsets"]), *[0] * len(shape_of(type))]
    places: list[int] = _places(shape_of(type), shape, offsets)
    whole: list[bytes] = cells(dense)
    return from_cells(type, [whole[n] for n in places])


def _places(part: Sequence[int], shape: Sequence[int], offsets: Sequence[int]) -> list[int]:
    """Where the elements of a slice lie in the whole, in row-major order of each."""
    places = [0]
    for extent, offset, step in zip(part, offsets, strides_of(shape), strict=False):
        places = [p + (offset + n) * step for p in places for n in range(extent)]
    return places


def fold_insert_slice(op: Any) -> Attribute | SSAValue | None:
    """A slice that is the whole, one that is there already, or constants"""
    value, into = op.operands
    type = op.results[0].type
    if value.type == type:
        return value
    scalar = repeated(into)
    if scalar is not None and scalar is repeated(value):
        return into
    taken = maker(value, "vector.extract_strided_slice")
    offsets = numbers(op.properties["offsets"])
    if taken is not None and taken.operands[0] is into and numbers(taken.properties["offsets"]) == offsets:
        return into
    part, whole = dense_of(value), dense_of(into)
    if part is None or whole is None or any(scalable_of(type)):
        return None
    if size_of(type) > 256 and len(list(into.uses)) > 1:
        return None
    changed = cells(whole)
    small = [1] * (len(shape_of(type)) - len(shape_of(value.type))) + [*shape_of(value.type)]
    for place, cell in zip(_places(small, shape_of(type), offsets), cells(part), strict=True):
        changed[place] = cell
    return from_cells(type, changed)


# Broadcasts


def _core(type: Attribute) -> list[tuple[int, bool]]:
    """The axes without those of size 1 that come first."""
    axes = axes_of(type)
    while axes and axes[0] == (1, False):
        axes.pop(0)
    return axes


def broadcast_of_broadcast(op: Any, rewriter: PatternRewriter) -> None:
    """broadcast(broadcast(x)) = broadcast(x), also over a shape_cast that adds or drops first axes of size 1"""
    made = maker(op.operands[0], "vector.broadcast", "vector.shape_cast")
    if made is None:
        return
    source, type = made.operands[0], op.results[0].type
    is_leading = made.name == "vector.broadcast" or _core(source.type) == _core(op.operands[0].type)
    if is_leading and can_broadcast(source.type, type):
        replace_by(op, rewriter, "vector.broadcast", [source])


def cast_of_cast(op: Any, rewriter: PatternRewriter) -> None:
    """shape_cast(shape_cast(x)) = shape_cast(x), also over a transposition that keeps the order of elements"""
    made = maker(op.operands[0], "vector.shape_cast", "vector.transpose")
    if made is not None and (made.name == "vector.shape_cast" or keeps_order(made)):
        replace_by(op, rewriter, op.name, [made.operands[0]])


def cast_of_broadcast(op: Any, rewriter: PatternRewriter) -> None:
    """shape_cast(broadcast(x)) = shape_cast(x) or broadcast(x), where that has the same elements"""
    made = maker(op.operands[0], "vector.broadcast")
    if made is None:
        return
    source, type = made.operands[0], op.results[0].type
    if is_vector(source.type) and prod(shape_of(source.type)) == prod(shape_of(type)):
        if sum(scalable_of(source.type)) == sum(scalable_of(type)):
            replace_by(op, rewriter, "vector.shape_cast", [source])
        return
    # All axes that the source has must come last, as they are, in both: else its elements stand elsewhere.
    depth = len(_core(source.type))
    last = axes_of(made.results[0].type)[len(shape_of(made.results[0].type)) - depth :]
    alike = last == axes_of(type)[len(shape_of(type)) - depth :]
    if alike and can_broadcast(source.type, type):
        replace_by(op, rewriter, "vector.broadcast", [source])


def cast_of_elements(op: Any, rewriter: PatternRewriter) -> None:
    """shape_cast(from_elements(xs)) = from_elements(xs)"""
    made = maker(op.operands[0], "vector.from_elements")
    if made is not None:
        replace_by(op, rewriter, made.name, list(made.operands))


def cast_of_mask(op: Any, rewriter: PatternRewriter) -> None:
    """shape_cast(create_mask(.., 1)) = create_mask(..), where last axes have size 1 and go"""
    made = maker(op.operands[0], "vector.create_mask", "vector.constant_mask")
    given, wanted = axes_of(op.operands[0].type), axes_of(op.results[0].type)
    kept = len(wanted)
    if made is None or not wanted or given != wanted + [(1, False)] * (len(given) - kept):
        return
    if made.name == "vector.create_mask":
        if all(constant_of(n) == 1 for n in made.operands[kept:]):
            replace_by(op, rewriter, made.name, made.operands[:kept])
        return
    counts = made.properties["mask_dim_sizes"].get_values()
    if all(n == 1 for n in counts[kept:]):
        rest = DenseArrayBase.from_list(i64, counts[:kept])
        replace_by(op, rewriter, made.name, [], {"mask_dim_sizes": rest})


def bitcast_of_bitcast(op: Any, rewriter: PatternRewriter) -> None:
    """bitcast(bitcast(x)) = bitcast(x)"""
    made = maker(op.operands[0], "vector.bitcast")
    if made is not None:
        replace_by(op, rewriter, op.name, [made.operands[0]])


# Transpositions


def transpose_of_transpose(op: Any, rewriter: PatternRewriter) -> None:
    """transpose(transpose(x, p), q) = transpose(x, p after q)"""
    made = maker(op.operands[0], "vector.transpose")
    if made is None:
        return
    inner = order_of(made)
    order = DenseArrayBase.from_list(i64, [inner[n] for n in order_of(op)])
    replace_by(op, rewriter, op.name, [made.operands[0]], {"permutation": order})


def transpose_of_mask(op: Any, rewriter: PatternRewriter) -> None:
    """transpose(create_mask(ns)) = create_mask(ns in the new order)"""
    made = maker(op.operands[0], "vector.create_mask", "vector.constant_mask")
    if made is None:
        return
    if made.name == "vector.create_mask":
        replace_by(op, rewriter, made.name, [made.operands[n] for n in order_of(op)])
        return
    counts = made.properties["mask_dim_sizes"].get_values()
    sizes = DenseArrayBase.from_list(i64, [counts[n] for n in order_of(op)])
    replace_by(op, rewriter, made.name, [], {"mask_dim_sizes": sizes})


def transpose_of_cast(op: Any, rewriter: PatternRewriter) -> None:
    """transpose(shape_cast(x)) = shape_cast(x), where elements keep their order"""
    made = maker(op.operands[0], "vector.shape_cast")
    if made is not None and keeps_order(op):
        replace_by(op, rewriter, made.name, [made.operands[0]])


def transpose_of_broadcast(op: Any, rewriter: PatternRewriter) -> None:
    """transpose(broadcast(x)) = broadcast(x), where only axes along which all is the same change places"""
    made = maker(op.operands[0], "vector.broadcast")
    if made is None:
        return
    source, order = made.operands[0], order_of(op)
    given = axes_of(source.type)
    new, low = len(order) - len(given), 0
    for n, axis in enumerate(given):
        if axis == (1, False) and (n == 0 or given[n - 1] == (1, False)):
            continue
        high = n + new
        if any(not low <= order[k] < high for k in range(low, high)):
            return
        low = high
    if can_broadcast(source.type, op.results[0].type):
        replace_by(op, rewriter, made.name, [source])


def transpose_of_elements(op: Any, rewriter: PatternRewriter) -> None:
    """transpose(from_elements(xs)) = from_elements(xs in the new order)"""
    made = maker(op.operands[0], "vector.from_elements")
    if made is None:
        return
    steps = strides_of(shape_of(op.operands[0].type))
    places = [0]
    for extent, axis in zip(shape_of(op.results[0].type), order_of(op), strict=True):
        places = [p + n * steps[axis] for p in places for n in range(extent)]
    replace_by(op, rewriter, made.name, [made.operands[n] for n in places])


# Shuffles


def shuffle_alike(op: Any, rewriter: PatternRewriter) -> None:
    """shuffle(broadcast(s), broadcast(s)) = broadcast(s)"""
    scalar = repeated(op.v1)
    if scalar is not None and scalar is repeated(op.v2):
        replace_by(op, rewriter, "vector.broadcast", [scalar])


def shuffle_in_turns(op: Any, rewriter: PatternRewriter) -> None:
    """shuffle(x, y) that takes elements in turns = interleave(x, y)"""
    mask, shape = list(op.mask.get_values()), shape_of(op.v1.type)
    if op.v1.type != op.v2.type or len(shape) > 1 or any(scalable_of(op.v1.type)):
        return
    count = prod(shape)
    if mask == [n for pair in zip(range(count), range(count, 2 * count), strict=True) for n in pair]:
        replace_by(op, rewriter, "vector.interleave", [op.v1, op.v2])


def shuffle_of_points(op: Any, rewriter: PatternRewriter) -> None:
    """A shuffle of vectors without axes that takes one of them = broadcast of it"""
    mask = op.mask.get_values()
    if not shape_of(op.v1.type) and len(mask) == 1 and mask[0] != POISON:
        replace_by(op, rewriter, "vector.broadcast", [op.v2 if mask[0] else op.v1])


# Slices


def _slice(op: Any) -> tuple[list[int], list[int]]:
    return numbers(op.properties["offsets"]), numbers(op.properties["sizes"])


def _sliced(source: SSAValue, offsets: Sequence[int], sizes: Sequence[int], type: Attribute) -> Operation:
    """Make an `extract_strided_slice`."""
    given = {"offsets": offsets, "sizes": sizes, "strides": [1] * len(offsets)}
    properties = {name: ArrayAttr([IntegerAttr(n, i64) for n in ns]) for name, ns in given.items()}
    return create("vector.extract_strided_slice", [source], [type], properties)


def slice_of_inserts(op: Any, rewriter: PatternRewriter) -> None:
    """A slice of what a slice was inserted into, which lies in it or has nothing of it"""
    (source,), (offsets, sizes) = op.operands, _slice(op)
    made = maker(source, "vector.insert_strided_slice")
    while made is not None:
        value, into = made.operands
        small, starts = shape_of(value.type), numbers(made.properties["offsets"])
        if len(small) != len(shape_of(into.type)) or any(scalable_of(into.type)):
            return
        spans = list(zip(offsets, sizes, starts, small, strict=False))
        if all(s <= o and o + n <= s + m for o, n, s, m in spans):
            moved = [o - s for o, _, s, _ in spans]
            if shape_of(value.type)[len(offsets) :] == shape_of(into.type)[len(offsets) :]:
                rewriter.replace(op, _sliced(value, moved, sizes, op.results[0].type))
            return
        if not any(o + n <= s or s + m <= o for o, n, s, m in spans):
            return
        made = maker(into, "vector.insert_strided_slice")


def slice_of_mask(op: Any, rewriter: PatternRewriter) -> None:
    """A slice of a mask is a mask"""
    made = maker(op.operands[0], "vector.create_mask", "vector.constant_mask")
    if made is None:
        return
    (offsets, sizes), axes = _slice(op), axes_of(op.operands[0].type)
    if made.name == "vector.constant_mask":
        counts = list(made.properties["mask_dim_sizes"].get_values())
        kept = [max(0, min(n, c - o)) for o, n, c in zip(offsets, sizes, counts, strict=False)]
        kept += counts[len(kept) :]
        kept = [0] * len(kept) if 0 in kept else kept
        replace_by(op, rewriter, made.name, [], {"mask_dim_sizes": DenseArrayBase.from_list(i64, kept)})
        return
    new: list[Operation] = []
    values = list(made.operands)
    for n, (offset, size) in enumerate(zip(offsets, sizes, strict=True)):
        if offset == 0 and size == axes[n][0]:
            continue
        new += [by := arith.ConstantOp(IntegerAttr(offset, IndexType())), arith.SubiOp(values[n], by.result)]
        values[n] = new[-1].results[0]
    rewriter.replace(op, [*new, create(made.name, values, [op.results[0].type])])


def slice_of_broadcast(op: Any, rewriter: PatternRewriter) -> None:
    """A slice of broadcast(x) = broadcast(x), or broadcast of a slice of x"""
    made = maker(op.operands[0], "vector.broadcast")
    if made is None:
        return
    source, type = made.operands[0], op.results[0].type
    if can_broadcast(source.type, type):
        replace_by(op, rewriter, made.name, [source])
        return
    (offsets, sizes), given = _slice(op), axes_of(source.type)
    new = len(shape_of(type)) - len(given)
    offsets, sizes = offsets[new:], sizes[new:]
    ones = [given[n] == (1, False) for n in range(len(offsets))]
    offsets = [0 if one else o for o, one in zip(offsets, ones, strict=True)]
    sizes = [1 if one else n for n, one in zip(sizes, ones, strict=True)]
    axes = [(n, s) for n, (_, s) in zip(sizes, given, strict=False)] + given[len(sizes) :]
    element = source.type.element_type
    part = _sliced(source, offsets, sizes, vector_of(element, axes))
    rewriter.replace(op, [part, create(made.name, part.results, [type])])


def slice_that_is_a_part(op: Any, rewriter: PatternRewriter) -> None:
    """A slice that takes the last axes whole is a part, with axes of size 1"""
    (source,), (offsets, sizes) = op.operands, _slice(op)
    shape = shape_of(source.type)
    if any(scalable_of(source.type)) or not shape:
        return
    count = len(sizes)
    while count > 0 and sizes[count - 1] == shape[count - 1]:
        count -= 1
    if count in (0, len(shape)) or any(n != 1 for n in sizes[:count]):
        return
    while count < len(sizes) - 1 and sizes[count] == 1:
        count += 1
    axes = axes_of(source.type)[count:]
    part = positioned("vector.extract", [source], offsets[:count], vector_of(source.type.element_type, axes))
    rewriter.replace(op, [part, create("vector.shape_cast", part.results, [op.results[0].type])])
