"""Elements and parts of vectors: `vector.extract`, `vector.insert`, `vector.from_elements`, `vector.to_elements`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, TypeAlias, cast

from xdsl.dialects import ub
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from hologram.dialects.arith import constant_of
from hologram.transforms.canonical.rules.dense import (
    axes_of,
    can_broadcast,
    cell_of,
    cells,
    constant,
    create,
    dense_of,
    from_cells,
    is_poison,
    is_vector,
    maker,
    replace_by,
    scalable_of,
    scalar,
    scalar_constant,
    shape_of,
    size_of,
    splat,
    splat_cell,
    strides_of,
)

Position: TypeAlias = "list[int | SSAValue]"
"""A number or a value for each of the first axes."""
POISON = -1
"""The position of nothing: what is extracted there is poison."""
LARGE = 256
"""The elements of a constant that is changed even where the one before stays in use."""


def position_of(op: Operation) -> Position:
    """The position of a `vector.extract` or a `vector.insert`."""
    dynamic = iter(cast(Any, op).dynamic_position)
    static = cast(Any, op).static_position.get_values()
    return [next(dynamic) if n == DYNAMIC_INDEX else n for n in static]


def static_position_of(op: Operation) -> list[int] | None:
    """The position, if it is one of numbers alone."""
    static = cast(Any, op).static_position.get_values()
    return None if DYNAMIC_INDEX in static or POISON in static else list(static)


def positioned(name: str, operands: Sequence[SSAValue], position: Sequence[int | SSAValue], type: Attribute) -> Any:
    """Make a `vector.extract` or a `vector.insert` at a position."""
    numbers = [n if isinstance(n, int) else DYNAMIC_INDEX for n in position]
    values = [n for n in position if isinstance(n, SSAValue)]
    static = DenseArrayBase.from_list(i64, numbers)
    return create(name, [*operands, *values], [type], {"static_position": static})


def _extract(op: Any, rewriter: PatternRewriter, source: SSAValue, position: Sequence[int | SSAValue]) -> None:
    """Extract from another vector instead, or take it if nothing is left to extract."""
    if not position and source.type == op.result.type:
        rewriter.replace(op, [], [source])
    else:
        rewriter.replace(op, positioned("vector.extract", [source], position, op.result.type))


# Folds


def fold_extract(op: Any) -> Attribute | SSAValue | None:
    """x[] = x, poison[p] = poison, x[poison] = poison, constants, from_elements(xs)[p] = xs[p]"""
    source, position = op.vector, static_position_of(op)
    if not op.static_position.get_values() and source.type == op.result.type:
        return source
    if is_poison(source) or POISON in op.static_position.get_values():
        return ub.PoisonAttr()
    type = op.result.type
    dense, same = dense_of(source), splat_cell(dense_of(source))
    if same is not None:
        return splat(type, same) if is_vector(type) else scalar(type, same)
    if position is None:
        return None
    size, start = prod(shape_of(type)), _start(source.type, position)
    if dense is not None and not any(scalable_of(source.type)):
        part = cells(dense)[start : start + size]
        return from_cells(type, part) if is_vector(type) else scalar(type, part[0])
    made = maker(source, "vector.from_elements")
    return made.operands[start] if made is not None and not is_vector(type) else None


def _start(type: Attribute, position: Sequence[int]) -> int:
    """Where a part begins, in row-major order."""
    strides = strides_of(shape_of(type))
    return sum(n * s for n, s in zip(position, strides, strict=False))


def fold_insert(op: Any) -> Attribute | SSAValue | None:
    """insert(x, y)[] = x, a position of poison gives poison, constants, insert(s, broadcast(s)) = broadcast(s)"""
    value, into = op.source, op.dest
    if not op.static_position.get_values() and value.type == op.result.type:
        return value
    if POISON in op.static_position.get_values():
        return ub.PoisonAttr()
    position, dense = static_position_of(op), dense_of(into)
    if position is None or dense is None or any(scalable_of(into.type)):
        return _fold_same(op)
    if size_of(into.type) > LARGE and len(list(into.uses)) > 1:
        return None
    part = cells(inner) if (inner := dense_of(value)) is not None else [cell_of(scalar_constant(value))]
    if None in part:
        return None
    start, whole = _start(into.type, position), cells(dense)
    whole[start : start + len(part)] = cast("list[bytes]", part)
    return from_cells(op.result.type, whole)


def _fold_same(op: Any) -> SSAValue | None:
    """Inserting a scalar, or what repeats it, into what repeats it changes nothing."""
    scalar = repeated(op.dest)
    if scalar is None:
        return None
    return op.dest if scalar is op.source or scalar is repeated(op.source) else None


def repeated(value: SSAValue) -> SSAValue | None:
    """The scalar that a vector repeats."""
    made = maker(value, "vector.broadcast")
    if made is None:
        return None
    source = made.operands[0]
    return repeated(source) if is_vector(source.type) else source


def fold_from_elements(op: Any) -> Attribute | SSAValue | None:
    """Constants, or the vector whose elements they are"""
    type = op.results[0].type
    source = maker(op.operands[0], "vector.to_elements") if op.operands else None
    if source is not None and source.operands[0].type == type and [*source.results] == [*op.operands]:
        return source.operands[0]
    if op.operands and all(is_poison(value) for value in op.operands):
        return ub.PoisonAttr()
    parts = [_element(value, type) for value in op.operands]
    return None if None in parts else from_cells(type, cast("list[bytes]", parts))


def _element(value: SSAValue, type: Any) -> bytes | None:
    """The bytes of a constant element; one of the llvm dialect may be the bits of a value of another type."""
    made = maker(value, "llvm.mlir.constant")
    cell = cell_of(scalar_constant(value) if made is None else made.properties["value"])
    return cell if cell is not None and len(cell) == type.element_type.compile_time_size else None


# Positions


def number_positions(op: Any, rewriter: PatternRewriter) -> None:
    """A position that is a constant is a number in the operation"""
    position = position_of(op)
    whole = op.vector.type if op.name == "vector.extract" else op.dest.type
    known: Position = []
    for n, (extent, scalable) in zip(position, axes_of(whole), strict=False):
        number = constant_of(n) if isinstance(n, SSAValue) else None
        fits = number is not None and (number == POISON or (0 <= number and (scalable or number < extent)))
        known.append(cast(int, number) if fits else n)
    if any(isinstance(a, SSAValue) and isinstance(b, int) for a, b in zip(position, known, strict=True)):
        operands = [op.vector] if op.name == "vector.extract" else [op.source, op.dest]
        rewriter.replace(op, positioned(op.name, operands, known, op.result.type))


# Extraction


def extract_of_extract(op: Any, rewriter: PatternRewriter) -> None:
    """x[p][q] = x[p, q]"""
    inner, outer = maker(op.vector, "vector.extract"), static_position_of(op)
    first = None if inner is None else static_position_of(inner)
    if inner is not None and first is not None and outer is not None:
        _extract(op, rewriter, inner.vector, [*first, *outer])


def extract_of_inserts(op: Any, rewriter: PatternRewriter) -> None:
    """insert(x, y, p)[p, q] = x[q], insert(x, y, p)[q] = y[q] if p and q differ, also where axes are swapped between"""
    position = static_position_of(op)
    if position is None:
        return
    rank = len(shape_of(op.vector.type))
    # An axis that stays is negative, and tells which of the result's it is.
    free = [-1 - n for n in range(rank - len(position))]
    place: list[int] = [*position, *free]
    source = op.vector
    found: tuple[SSAValue, list[int]] | None = None
    while (made := maker(source, "vector.insert", "vector.transpose")) is not None:
        if made.name == "vector.transpose":
            order: list[int] = list(made.properties["permutation"].get_values())
            place = [place[order.index(n)] for n in range(len(order))]
            source = made.operands[0]
        else:
            written = static_position_of(made)
            if written is None:
                break
            if place[: len(written)] == written:
                source, place = made.source, place[len(written) :]
                found = (source, place) if _is_leading(place, free) else found
                break
            if all(a < 0 or a == b for a, b in zip(place, written, strict=False)):
                break
            source = made.dest
        if _is_leading(place, free):
            found = source, place
    if found is not None and found[0] is not op.vector:
        _extract(op, rewriter, found[0], found[1][: len(found[1]) - len(free)])


def _is_leading(place: Sequence[int], free: Sequence[int]) -> bool:
    """Return whether a position fixes the first axes and keeps the rest in order."""
    return [*place[len(place) - len(free) :]] == [*free] and all(n >= 0 for n in place[: len(place) - len(free)])


def extract_of_broadcast(op: Any, rewriter: PatternRewriter) -> None:
    """broadcast(x)[p] = x, broadcast(x[q]) or x[q], where q is p without the axes that are new"""
    made = _broadcast_like(op.vector)
    if made is None:
        return
    source, type, position = made.operands[0], op.result.type, position_of(op)
    if source.type == type:
        rewriter.replace(op, [], [source])
        return
    new = len(shape_of(op.vector.type)) - len(shape_of(source.type))
    if is_vector(type) and len(position) <= new and can_broadcast(source.type, type):
        replace_by(op, rewriter, "vector.broadcast", [source])
        return
    if not is_vector(source.type) or (is_vector(type) and len(position) <= new):
        return
    kept = len(shape_of(type))
    if axes_of(type) != axes_of(source.type)[len(shape_of(source.type)) - kept :]:
        return
    wide = axes_of(op.vector.type)[new:]
    ones = [a != b for a, b in zip(axes_of(source.type), wide, strict=True)]
    _extract(op, rewriter, source, [0 if one else n for n, one in zip(position[new:], ones, strict=False)])


def _broadcast_like(value: SSAValue) -> Any:
    """The operation that repeats a vector along new axes; a shape_cast too, whose new axes come first."""
    made = maker(value, "vector.broadcast", "vector.shape_cast")
    if made is None or made.name == "vector.broadcast":
        return made
    source, result = axes_of(made.operands[0].type), axes_of(value.type)
    new = len(result) - len(source)
    return made if new > 0 and result == [(1, False)] * new + source else None


def extract_of_shuffle(op: Any, rewriter: PatternRewriter) -> None:
    """shuffle(x, y, m)[i] = x[m[i]], or y[m[i] - n]"""
    made, position = maker(op.vector, "vector.shuffle"), static_position_of(op)
    if made is None or position is None or len(shape_of(op.vector.type)) != 1:
        return
    picked = made.mask.get_values()[position[0]]
    (first,) = shape_of(made.v1.type) or (1,)
    if picked == POISON:
        rewriter.replace(op, ub.PoisonOp(op.result.type))
    elif shape_of(made.v1.type):
        source, at = (made.v1, picked) if picked < first else (made.v2, picked - first)
        _extract(op, rewriter, source, [at])


def extract_of_shape_cast(op: Any, rewriter: PatternRewriter) -> None:
    """shape_cast(x)[p] = shape_cast(x) where it takes all, or x[q] where the part is one of x's"""
    made, type = maker(op.vector, "vector.shape_cast"), op.result.type
    if made is None:
        return
    source, position = made.operands[0], static_position_of(op)
    given, kept = axes_of(source.type), axes_of(type)
    lead, rest = given[: len(given) - len(kept)], given[len(given) - len(kept) :]
    if position is not None and len(kept) <= len(given) and rest == kept:
        outer = axes_of(op.vector.type)[: len(position)]
        if not any(s for _, s in (*lead, *outer)):
            at = _start_in([n for n, _ in outer], position)
            _extract(op, rewriter, source, _place(at, [n for n, _ in lead]))
            return
    same = prod(shape_of(source.type)) == prod(shape_of(type))
    if is_vector(type) and same and sum(scalable_of(source.type)) == sum(scalable_of(type)):
        replace_by(op, rewriter, "vector.shape_cast", [source])


def _start_in(shape: Sequence[int], position: Sequence[int]) -> int:
    return sum(n * s for n, s in zip(position, strides_of(shape), strict=True))


def _place(start: int, shape: Sequence[int]) -> list[int]:
    """The position along axes of what begins at a place in row-major order."""
    return [start // s % n for n, s in zip(shape, strides_of(shape), strict=True)]


def extract_of_slice(op: Any, rewriter: PatternRewriter) -> None:
    """extract_strided_slice(x)[p] = x[p + offsets], if the slice has the other axes whole"""
    made, position = maker(op.vector, "vector.extract_strided_slice"), static_position_of(op)
    if made is None or position is None:
        return
    source, offsets = made.operands[0], numbers(made.properties["offsets"])
    whole, slice = shape_of(source.type), shape_of(op.vector.type)
    while offsets and offsets[-1] == 0 and slice[len(offsets) - 1] == whole[len(offsets) - 1]:
        offsets.pop()
    if len(offsets) <= len(position):
        moved = [n + o for n, o in zip(position, [*offsets, *[0] * len(position)], strict=False)]
        _extract(op, rewriter, source, moved)


def numbers(attribute: Any) -> list[int]:
    """The numbers of an array of them."""
    return [n.value.data for n in attribute]


def extract_of_slice_inserts(op: Any, rewriter: PatternRewriter) -> None:
    """insert_strided_slice(x, y)[p] = x[p - offsets], if the part lies in x, which may be inserted further up"""
    position, kept = static_position_of(op), shape_of(op.result.type)
    made = maker(op.vector, "vector.insert_strided_slice")
    while made is not None and position is not None:
        value, into = made.operands
        small, whole, offsets = shape_of(value.type), shape_of(into.type), numbers(made.properties["offsets"])
        new = len(whole) - len(small)
        if len(kept) > len(small):
            return
        ends = [o + n for o, n in zip(offsets, [*[1] * new, *small], strict=True)]
        inside = all(o <= n < e for o, n, e in zip(offsets, position, ends, strict=False))
        if inside:
            if small[len(small) - len(kept) :] == whole[len(whole) - len(kept) :]:
                moved = [n - o for n, o in zip(position, offsets, strict=False)][new:]
                _extract(op, rewriter, value, moved)
            return
        made = maker(into, "vector.insert_strided_slice")


def extract_of_elements(op: Any, rewriter: PatternRewriter) -> None:
    """from_elements(xs)[p] = from_elements of the part of xs"""
    made, position, type = maker(op.vector, "vector.from_elements"), static_position_of(op), op.result.type
    if made is not None and position is not None and is_vector(type):
        start = _start(op.vector.type, position)
        replace_by(op, rewriter, "vector.from_elements", made.operands[start : start + size_of(type)])


def extract_of_mask(op: Any, rewriter: PatternRewriter) -> None:
    """create_mask(ns)[p] = create_mask of the other ns if p is set, or no lane"""
    made, type = maker(op.vector, "vector.create_mask"), op.result.type
    if made is None or not is_vector(type):
        return
    unknown, off = False, False
    axes = axes_of(op.vector.type)
    for n, count, (extent, scalable) in zip(position_of(op), made.operands, axes, strict=False):
        bound = constant_of(count)
        if bound is None:
            unknown = True
        elif isinstance(n, int):
            off |= n >= bound
        else:
            unknown |= scalable or bound < extent
            off |= bound <= 0
    if off:
        rewriter.replace(op, constant(splat(type, b"\0"), type))
    elif not unknown:
        replace_by(op, rewriter, "vector.create_mask", made.operands[len(axes) - len(type.get_shape()) :])


def extract_of_constant_mask(op: Any, rewriter: PatternRewriter) -> None:
    """constant_mask(ns)[p] = constant_mask of the other ns if p is set, or no lane"""
    made, position, type = maker(op.vector, "vector.constant_mask"), static_position_of(op), op.result.type
    if made is None or position is None:
        return
    counts = made.properties["mask_dim_sizes"].get_values()
    is_set = all(n < count for n, count in zip(position, counts, strict=False)) and 0 not in counts
    if is_vector(type) and is_set and type.get_shape():
        rest = DenseArrayBase.from_list(i64, counts[len(position) :])
        replace_by(op, rewriter, "vector.constant_mask", [], {"mask_dim_sizes": rest})
        return
    cell = b"\xff" if is_set else b"\0"
    value = splat(type, cell) if is_vector(type) else scalar(type, cell)
    rewriter.replace(op, constant(cast(Attribute, value), type))


# Insertion


def insert_all(op: Any, rewriter: PatternRewriter) -> None:
    """insert(x, y) = broadcast(x) if x has all elements"""
    if prod(shape_of(op.source.type)) == prod(shape_of(op.result.type)) and not any(scalable_of(op.result.type)):
        replace_by(op, rewriter, "vector.broadcast", [op.source])


def insert_over_insert(op: Any, rewriter: PatternRewriter) -> None:
    """insert(x, insert(y, z, p), p) = insert(x, z, p)"""
    made = maker(op.dest, "vector.insert")
    if made is not None and position_of(made) == position_of(op):
        rewriter.replace(op, positioned(op.name, [op.source, made.dest], position_of(op), op.result.type))


def insert_each(op: Any, rewriter: PatternRewriter) -> None:
    """Insertions that write each element give from_elements"""
    type = op.result.type
    if any(scalable_of(type)) or any(
        u.operation.name == "vector.insert" and u.operation.dest is op.result for u in op.result.uses
    ):
        return
    chain: list[Any] = []
    left, made = set(range(size_of(type))), op
    while made is not None and left:
        position = static_position_of(made)
        if position is None or (made is not op and len(list(made.result.uses)) != 1):
            return
        start = _start(type, position)
        chain.append((start, made.source))
        left -= set(range(start, start + prod(shape_of(made.source.type))))
        made = maker(made.dest, "vector.insert")
    if left:
        return
    elements: list[Any] = [None] * size_of(type)
    new: list[Operation] = []
    for start, value in reversed(chain):
        if not is_vector(value.type):
            elements[start] = value
            continue
        size = size_of(value.type)
        new.append(create("vector.to_elements", [value], [value.type.element_type] * size))
        elements[start : start + size] = new[-1].results
    rewriter.replace(op, [*new, create("vector.from_elements", elements, [type])])


# Elements


def elements_alike(op: Any, rewriter: PatternRewriter) -> None:
    """from_elements(x, x, ...) = broadcast(x)"""
    if op.operands and all(value is op.operands[0] for value in op.operands):
        replace_by(op, rewriter, "vector.broadcast", [op.operands[0]])


def elements_of_one(op: Any, rewriter: PatternRewriter) -> None:
    """from_elements(x[0], x[1], ...) = shape_cast(x)"""
    source: Any = None
    for n, value in enumerate(op.operands):
        made = maker(value, "vector.extract")
        position = None if made is None else static_position_of(made)
        if made is None or position is None or (source is not None and made.vector is not source):
            return
        source = made.vector
        if any(scalable_of(source.type)) or _start(source.type, position) != n:
            return
    if source is not None and size_of(source.type) == len(op.operands):
        replace_by(op, rewriter, "vector.shape_cast", [source])


def elements_of_elements(op: Any, rewriter: PatternRewriter) -> None:
    """to_elements(from_elements(xs)) = xs"""
    made = maker(op.operands[0], "vector.from_elements")
    if made is not None:
        rewriter.replace(op, [], list(made.operands))


def elements_of_broadcast(op: Any, rewriter: PatternRewriter) -> None:
    """to_elements(broadcast(x)) = x, or the elements of x, each as often as it is repeated"""
    made = maker(op.operands[0], "vector.broadcast")
    if made is None:
        return
    source = made.operands[0]
    if not is_vector(source.type):
        rewriter.replace(op, [], [source] * len(op.results))
        return
    wide, narrow = shape_of(op.operands[0].type), shape_of(source.type)
    new = create("vector.to_elements", [source], [source.type.element_type] * size_of(source.type))
    lead, given = len(wide) - len(narrow), strides_of(narrow)
    picked: list[SSAValue] = []
    for n in range(len(op.results)):
        place = _place(n, wide)[lead:]
        at = sum(p * s for p, s, extent in zip(place, given, narrow, strict=True) if extent != 1)
        picked.append(new.results[at])
    rewriter.replace(op, new, picked)


EXTRACTS = (
    number_positions,
    extract_of_extract,
    extract_of_inserts,
    extract_of_broadcast,
    extract_of_shuffle,
    extract_of_shape_cast,
    extract_of_slice,
    extract_of_slice_inserts,
    extract_of_elements,
    extract_of_mask,
    extract_of_constant_mask,
)
INSERTS = (number_positions, insert_over_insert, insert_all, insert_each)
