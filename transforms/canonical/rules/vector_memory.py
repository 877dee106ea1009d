"""Vectors in memory and in tensors: masks, loads and stores, and transfers."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    MemRefType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr
from xdsl.pattern_rewriter import PatternRewriter

from hologram.dialects.arith import constant_of
from hologram.transforms.canonical.rules.dense import (
    axes_of,
    can_broadcast,
    cells,
    change_operand,
    create,
    dense_of,
    is_tensor,
    maker,
    replace_by,
    scalable_of,
    shape_of,
    splat,
    splat_cell,
    vector_of,
)
from hologram.transforms.canonical.rules.memref import says_no_more

# Masks


def lanes_of_mask(mask: SSAValue) -> bool | None:
    """Whether all lanes of a mask are set, or none is; None where neither is known."""
    cell = splat_cell(dense_of(mask))
    if cell is not None:
        return cell != b"\0"
    made, axes = maker(mask, "vector.constant_mask", "vector.create_mask"), axes_of(mask.type)
    if made is None:
        return None
    if made.name == "vector.constant_mask":
        counts: list[int | None] = list(made.properties["mask_dim_sizes"].get_values())
    else:
        counts = [constant_of(n) for n in made.operands]
        axes = axes or [(1, False)]
    if any(count is not None and count <= 0 for count in counts):
        return False
    # A number of lanes of a scalable axis is all of them only in a constant mask.
    loose = made.name == "vector.create_mask"
    full = [c is not None and c >= n and not (s and loose) for c, (n, s) in zip(counts, axes, strict=False)]
    return True if all(full) else None


def fold_constant_mask(op: Any) -> Attribute | None:
    """Of all lanes, or of none"""
    type, counts = op.results[0].type, list(op.properties["mask_dim_sizes"].get_values())
    if counts == list(type.get_shape() or (1,)):
        return splat(type, b"\xff")
    return splat(type, b"\0") if 0 in counts else None


def mask_of_constants(op: Any, rewriter: PatternRewriter) -> None:
    """create_mask of constants = constant_mask, also where an axis is scalable and has all lanes, or none"""
    axes = axes_of(op.results[0].type) or [(1, False)]
    counts: list[int] = []
    for value, (extent, scalable) in zip(op.operands, axes, strict=True):
        number = constant_of(value)
        if number is None:
            factor = _factor_of_vscale(value)
            if factor is None or factor < extent:
                return
            number = factor
        elif scalable and number > 0:
            return
        counts.append(min(max(number, 0), extent))
    if 0 in counts:
        counts = [0] * len(counts)
    sizes = {"mask_dim_sizes": DenseArrayBase.from_list(i64, counts)}
    replace_by(op, rewriter, "vector.constant_mask", [], sizes)


def _factor_of_vscale(value: SSAValue) -> int | None:
    """The constant by which a value is a multiple of the scale of vectors."""
    if maker(value, "vector.vscale") is not None:
        return 1
    product = maker(value, "arith.muli")
    for scale, factor in (product.operands, product.operands[::-1]) if product is not None else ():
        if maker(scale, "vector.vscale") is not None:
            return constant_of(factor)
    return None


def mask_that_holds_nothing(op: Any, rewriter: PatternRewriter) -> None:
    """mask m { yield x } = x, or select(m, x, passthru)"""
    body = op.regions[0].block
    if len(body.ops) != 1:
        return
    last = body.last_op
    assert last is not None
    if not op.results:
        rewriter.erase(op)
        return
    if len(op.operands) == 1:
        rewriter.replace(op, [], list(last.operands))
        return
    from xdsl.dialects.arith import SelectOp

    if len(op.results) == 1:
        rewriter.replace(op, SelectOp(op.operands[0], last.operands[0], op.operands[1]))


def mask_that_is_full(op: Any, rewriter: PatternRewriter) -> None:
    """mask of all lanes { f } = f"""
    body = op.regions[0].block
    if lanes_of_mask(op.operands[0]) is not True or len(body.ops) != 2:
        return
    inner, last = body.first_op, body.last_op
    assert inner is not None
    assert last is not None
    if list(last.operands) != list(inner.results):
        return
    rewriter.erase(last)
    inner.detach()
    rewriter.replace(op, inner, list(inner.results))


# Loads and stores under a mask


def _memory(op: Any) -> list[SSAValue]:
    return [op.base, *op.indices]


def _properties(op: Operation, plain: bool = False) -> dict[str, Attribute]:
    """The properties of an access that stands for another, which is a plain one or not."""
    kept: dict[str, Attribute] = {}
    if plain:
        kept["nontemporal"] = BoolAttr.from_bool(False)
    # Classes that do not declare the alignment have it among their attributes.
    alignment = op.properties.get("alignment") or op.attributes.get("alignment")
    return kept if alignment is None else {**kept, "alignment": alignment}


def load_under_mask(op: Any, rewriter: PatternRewriter) -> None:
    """A load of no lane gives what is passed through, one of all lanes is a load"""
    lanes = lanes_of_mask(op.mask)
    if lanes is False:
        rewriter.replace(op, [], [op.pass_thru])
    elif lanes is True and op.name != "vector.gather":
        replace_by(op, rewriter, "vector.load", _memory(op), _properties(op, plain=True))


def store_under_mask(op: Any, rewriter: PatternRewriter) -> None:
    """A store of no lane does nothing, one of all lanes is a store"""
    lanes = lanes_of_mask(op.mask)
    if lanes is False:
        # A store into a tensor gives the tensor.
        rewriter.replace(op, [], [op.base] if op.results else [])
    elif lanes is True and op.name != "vector.scatter":
        replace_by(op, rewriter, "vector.store", [op.operands[-1], *_memory(op)], _properties(op, plain=True))


def gather_in_order(op: Any, rewriter: PatternRewriter) -> None:
    """A gather of neighbours is a masked load"""
    if _has_neighbours(op.base.type) and _is_step(op.indices):
        operands = [op.base, *op.offsets, op.mask, op.pass_thru]
        replace_by(op, rewriter, "vector.maskedload", operands, _properties(op))


def scatter_in_order(op: Any, rewriter: PatternRewriter) -> None:
    """A scatter to neighbours is a masked store"""
    if _has_neighbours(op.base.type) and _is_step(op.indices):
        operands = [op.base, *op.offsets, op.mask, op.value_to_store]
        replace_by(op, rewriter, "vector.maskedstore", operands, _properties(op))


def _has_neighbours(type: Attribute) -> bool:
    """Return whether the elements along the last axis of a memref lie side by side."""
    strides = cast("MemRefType[Attribute]", type).get_strides() if isinstance(type, MemRefType) else None
    return strides is not None and (not strides or strides[-1] == 1)


def _is_step(value: SSAValue) -> bool:
    """Return whether a vector is 0, 1, 2, ..."""
    if len(shape_of(value.type)) != 1:
        return False
    if maker(value, "vector.step") is not None:
        return True
    dense = dense_of(value)
    if dense is None or any(scalable_of(value.type)):
        return False
    return list(dense.iter_values()) == list(range(len(cells(dense))))


def drop_memref_cast(op: Any, rewriter: PatternRewriter) -> None:
    """An access of a memory under another type = one under its own type"""
    for place, value in enumerate(op.operands):
        made = maker(value, "memref.cast")
        if made is not None and says_no_more(made):
            change_operand(op, rewriter, place, made.source)
            return


# Transfers


def mark_in_bounds(op: Any, rewriter: PatternRewriter) -> None:
    """A transfer from a constant place that ends before its axis does is in bounds"""
    source, vector = op.source.type, _vector_of(op).type
    results = op.permutation_map.data.results
    known = [bool(b.value.data) for b in op.in_bounds]
    if not results:
        return
    new = list(known)
    for n, expression in enumerate(results):
        if not known[n] and isinstance(expression, AffineDimExpr):
            new[n] = _is_inside(source, op.indices[expression.position], expression.position, axes_of(vector)[n])
    inside = all(new[n] for n, e in enumerate(results) if isinstance(e, AffineDimExpr))
    if inside:
        new = [True if isinstance(e, AffineConstantExpr) else b for e, b in zip(results, new, strict=True)]
    if new != known:
        op.properties["in_bounds"] = ArrayAttr([BoolAttr.from_bool(b) for b in new])
        rewriter.notify_op_modified(op)
        rewriter.has_done_action = True


def _is_inside(source: Any, index: SSAValue, axis: int, extent: tuple[int, bool]) -> bool:
    size, start = source.get_shape()[axis], constant_of(index)
    return not extent[1] and start is not None and start >= 0 and size != DYNAMIC_INDEX and start + extent[0] <= size


def _vector_of(op: Any) -> SSAValue:
    return op.result if op.name == "vector.transfer_read" else op.vector


def drop_full_mask(op: Any, rewriter: PatternRewriter) -> None:
    """A mask of all lanes is not needed"""
    if op.mask is None or lanes_of_mask(op.mask) is not True:
        return
    segments = list(op.properties["operandSegmentSizes"].get_values())
    segments[-1] = 0
    properties = {**op.properties, "operandSegmentSizes": DenseArrayBase.from_list(i32, segments)}
    rewriter.replace(op, create(op.name, op.operands[:-1], [r.type for r in op.results], properties))


def drop_tensor_cast(op: Any, rewriter: PatternRewriter) -> None:
    """transfer_read(tensor.cast(x)) = transfer_read(x), where x has sizes that the cast drops"""
    made = maker(op.source, "tensor.cast")
    if made is None or not is_tensor(made.source.type) or not is_tensor(op.source.type):
        return
    before, after = made.source.type, op.source.type
    shapes = zip(before.get_shape(), after.get_shape(), strict=True)
    if before.encoding != after.encoding or any(a != b and b != DYNAMIC_INDEX for a, b in shapes):
        return
    change_operand(op, rewriter, 0, made.source)


def _same_place(a: Any, b: Any) -> bool:
    """Return whether two transfers are of the same lanes of values of one type."""
    same = list(a.indices) == list(b.indices) and a.permutation_map == b.permutation_map
    return same and _vector_of(a).type == _vector_of(b).type


def _is_whole(op: Any) -> bool:
    """Return whether a transfer has no mask, and none of its lanes is out of bounds."""
    return op.mask is None and all(b.value.data for b in op.in_bounds)


def _are_apart(a: Any, b: Any) -> bool:
    """Return whether two transfers of the same shape touch no element that both have."""
    kind = _vector_of(a).type
    if _vector_of(b).type != kind or a.permutation_map != b.permutation_map:
        return False
    extents = {e.position: n for e, n in zip(a.permutation_map.data.results, axes_of(kind), strict=True)
               if isinstance(e, AffineDimExpr)}  # fmt: skip
    for axis, (i, j) in enumerate(zip(a.indices, b.indices, strict=True)):
        first, second = constant_of(i), constant_of(j)
        extent, scalable = extents.get(axis, (1, False))
        if first is not None and second is not None and not scalable and abs(first - second) >= extent:
            return True
    return False


def fold_read(op: Any) -> SSAValue | None:
    """A read of what was just written into a tensor"""
    written = maker(op.source, "vector.transfer_write")
    while written is not None and is_tensor(op.source.type):
        if _same_place(written, op) and _is_whole(written) and op.mask is None:
            return written.vector
        if not _are_apart(written, op):
            return None
        written = maker(written.source, "vector.transfer_write")
    return None


def fold_write(op: Any) -> SSAValue | None:
    """A write of what was read from there, or of all of another tensor"""
    read = maker(op.vector, "vector.transfer_read")
    if read is None or not op.results or read.mask is not None or op.mask is not None:
        return None
    if read.source is op.source and _same_place(read, op):
        return read.source
    type = op.source.type
    minor = all(o.permutation_map.data.is_minor_identity() for o in (read, op))
    whole = _is_whole(read) and _is_whole(op) and read.source.type == type and minor and op.vector.type.get_shape()
    starts = [constant_of(n) for n in (*read.indices, *op.indices)]
    fits = whole and tuple(op.vector.type.get_shape()) == tuple(type.get_shape())
    return read.source if fits and all(n == 0 for n in starts) else None


def write_over_write(op: Any, rewriter: PatternRewriter) -> None:
    """A write into a tensor over one to the same place = that write into the tensor before"""
    if not op.results:
        return
    after, before = op, maker(op.source, "vector.transfer_write")
    while before is not None:
        if _same_place(before, op) and before.mask is op.mask:
            change_operand(after, rewriter, 1, before.source)
            return
        if not _are_apart(before, op) or len(list(before.results[0].uses)) != 1:
            return
        after, before = before, maker(before.source, "vector.transfer_write")


def read_after_write(op: Any, rewriter: PatternRewriter) -> None:
    """A read of what was written with other axes = its broadcast, with the axes in their order"""
    written = maker(op.source, "vector.transfer_write")
    if written is None or not op.indices or not is_tensor(op.source.type):
        return
    if not (_is_whole(written) and _is_whole(op)) or list(op.indices) != list(written.indices):
        return
    given, wanted = (o.permutation_map.data.results for o in (written, op))
    if any(not isinstance(e, AffineDimExpr) for e in given):
        return
    lanes = [cast(AffineDimExpr, e).position for e in given]
    type, vector = op.result.type, written.vector
    # An axis that is not written along has its one element where the write has it.
    axes = [
        e.position if isinstance(e, AffineDimExpr) and (e.position in lanes or axis != (1, False)) else None
        for e, axis in zip(wanted, axes_of(type), strict=True)
    ]
    if sorted(a for a in axes if a is not None) != sorted(lanes):
        return
    sizes = dict(zip(lanes, axes_of(vector.type), strict=True))
    if any(a is not None and sizes[a] != axis for a, axis in zip(axes, axes_of(type), strict=True)):
        return
    new = [n for n, a in enumerate(axes) if a is None]
    # The new axes come first, the others as they were written; then all go to their places.
    places = [*new, *(axes.index(a) for a in lanes)]
    wide = vector_of(type.element_type, [axes_of(type)[n] for n in places])
    operations: list[Operation] = []
    if wide != vector.type:
        if not can_broadcast(vector.type, wide):
            return
        operations.append(create("vector.broadcast", [vector], [wide]))
        vector = operations[-1].results[0]
    order = [places.index(n) for n in range(len(places))]
    if order != list(range(len(order))):
        permutation = {"permutation": DenseArrayBase.from_list(i64, order)}
        operations.append(create("vector.transpose", [vector], [type], permutation))
        vector = operations[-1].results[0]
    rewriter.replace(op, operations, [vector])
