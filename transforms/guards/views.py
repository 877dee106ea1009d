"""Guards of views: they reach no further than the memory that they are of, and have the type that they say.

What lies in a view needs no more than the view's own sizes afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any, cast

from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects.layouts import Layout, byte_size, element_alignment
from hologram.dialects.op_builder import OpBuilder
from hologram.errors import PassError
from hologram.transforms.analysis.index_bounds import constant, constant_of
from hologram.transforms.guards.guards import GUARDS, Guards, memref_type
from hologram.transforms.guards.refusals import FLAG


def _statics(values: Any) -> list[int | None]:
    """The known entries of sizes, offsets or strides; None of those that are values."""
    return [None if int(n) == DYNAMIC_INDEX else int(n) for n in values.iter_values()]


def _ill_typed(op: Operation, result: SSAValue, what: str) -> None:
    raise PassError(
        op,
        "guard-view-type",
        f"'{op.name}' makes a {result.type}, and its {what} say otherwise",
        hint="correct the type",
    )


def _typed(
    guards: Guards, op: Operation, result: SSAValue, sizes: Sequence[int | None], strides: Sequence[int | None]
) -> Layout:
    """The layout of a view, whose sizes and strides are what the operation says."""
    layout = guards.layout(op, result)
    if tuple(layout.sizes) != tuple(sizes):
        _ill_typed(op, result, "sizes")
    for size, has, given in zip(sizes, layout.strides, strides, strict=True):
        if has != given and size != 1 and (has is not None or layout.identity):
            _ill_typed(op, result, "strides")
    return layout


# Subviews


@GUARDS.on("memref.subview")
def guard_subview(guards: Guards, op: memref.SubviewOp) -> None:
    """The first and the last element along each axis are in the source."""
    source = guards.layout(op, op.source)
    sizes, steps = _statics(op.static_sizes), _statics(op.static_strides)
    strides = [None if a is None or b is None else a * b for a, b in zip(source.strides, steps, strict=True)]
    _check_kept(guards, op, sizes, strides)
    at = OpBuilder(op)
    values = [
        guards.mixed(op, [int(n) for n in static.iter_values()], dynamic, at)
        for static, dynamic in (
            (op.static_offsets, op.offsets), (op.static_sizes, op.sizes), (op.static_strides, op.strides),
        )
    ]  # fmt: skip
    for axis, (offset, size, step) in enumerate(zip(*values, strict=True)):
        _guard_axis(guards, op, at, axis, offset, size, step)


def _check_kept(guards: Guards, op: memref.SubviewOp, sizes: list[int | None], strides: list[int | None]) -> None:
    """The type has the sizes and strides of the subview, without some axes of size 1."""
    result = guards.layout(op, op.result)
    rows = list(zip(sizes, strides, strict=True))

    def fits(at: int, axis: int) -> bool:
        if at == len(rows):
            return axis == len(result.sizes)
        size, stride = rows[at]
        has = axis < len(result.sizes) and result.sizes[axis] == size
        same = has and (size == 1 or result.strides[axis] in ((stride,) if result.identity else (stride, None)))
        return (same and fits(at + 1, axis + 1)) or (size == 1 and fits(at + 1, axis))

    # Without axes a layout is the identity; of one axis with step 1 it says the stride.
    if not fits(0, 0):
        _ill_typed(op, op.result, "sizes and strides")


def _guard_axis(
    guards: Guards, op: Operation, at: OpBuilder, axis: int, offset: SSAValue, size: SSAValue, step: SSAValue
) -> None:
    assert isinstance(op, memref.SubviewOp)
    text = f"{op.name}: {{}} elements from {{}} on are out of range along axis {axis}"
    limit, known = guards.bounds.size(op.source, axis), constant_of(step)
    form, count = guards.form(offset), guards.form(size)
    facts = list(guards.bounds.facts(op))
    natural = guards.bounds.is_natural
    if (
        known == 1
        and natural(form, facts)
        and natural(count, facts)
        and natural(limit.plus(form, -1).plus(count, -1), facts)
    ):
        guards.proven += 1
        return
    end, zero, core = guards.size(at, op.source, axis), at.index(0), at.core
    fits = core.both(core.compare("sge", offset, zero), core.compare("sge", size, zero))
    if known == 1:
        last = core.compare("sle", offset, core.sub(end, size))
    else:
        # How many steps there is room for, without a product that wraps.
        forward = core.compare("sgt", step, zero)
        room = core.select(forward, core.sub(core.sub(end, 1), offset), offset)
        length = core.max(core.select(forward, step, core.sub(0, step)), 1)
        # With a step of 0 the first element is the last.
        still = core.compare("eq", step, zero)
        reached = core.either(still, core.compare("ule", core.sub(size, 1), core.div(room, length)))
        last = core.both(core.compare("slt", offset, end), reached)
    fits = core.either(core.both(fits, last), core.compare("eq", size, zero))
    guards.check(at, fits, text, size, offset)


# Casts


@GUARDS.on("memref.cast")
def guard_cast(guards: Guards, op: memref.CastOp) -> None:
    """Sizes that the new type knows are so at run time; it knows no strides that the old one does not."""
    source, target = guards.layout(op, op.source), guards.layout(op, op.dest)
    if len(source.sizes) != len(target.sizes):
        _ill_typed(op, op.dest, "sizes")
    for size, has, given in zip(target.sizes, source.strides, target.strides, strict=True):
        if size != 1 and has != given and (given is not None or target.identity) and not source.identity:
            hint = (
                "take a memref.subview, whose strides are checked; "
                + "a memref.cast to dynamic strides is always right"
            )
            raise PassError(
                op, "guard-cast-strides", f"'{op.name}' to {op.dest.type} says strides that nothing proves", hint=hint
            )
    for axis, (before, after) in enumerate(zip(source.sizes, target.sizes, strict=True)):
        if after is None or before == after:
            continue
        at = OpBuilder(op)
        size, wanted = guards.size(at, op.source, axis), at.index(after)
        fits = guards.both(at, [guards.at_most(at, size, wanted), guards.at_most(at, wanted, size)])
        guards.demand(at, fits, f"{op.name}: size {{}} along axis {axis} is not {{}}", size, wanted)


@GUARDS.on("memref.transpose")
def guard_transpose(guards: Guards, op: Any) -> None:
    """Only the order of the axes changes."""
    source = guards.layout(op, op.in_)
    order: list[int] = [e.position for e in op.permutation.data.results]
    _typed(guards, op, op.result, [source.sizes[k] for k in order], [source.strides[k] for k in order])


@GUARDS.on("memref.assume_alignment")
def guard_alignment(guards: Guards, op: Any) -> None:
    """What is promised of an address is not believed."""
    op.result.replace_all_uses_with(op.memref)
    op.detach()
    op.erase()


# Other shapes of the same elements


def _dense(guards: Guards, op: Operation, value: SSAValue) -> Layout:
    layout = guards.layout(op, value)
    if not layout.identity or layout.type.get_offset() != 0:
        message = f"'{op.name}' is of a {value.type}, and only what memory without gaps becomes can be checked"
        raise PassError(op, "guard-view-source", message, hint=FLAG)
    return layout


@GUARDS.on("memref.reinterpret_cast")
def guard_reinterpret_cast(guards: Guards, op: memref.ReinterpretCastOp) -> None:
    """The lowest and the highest element are in the source."""
    source = _dense(guards, op, op.source)
    static = [[int(n) for n in v.iter_values()] for v in (op.static_offsets, op.static_sizes, op.static_strides)]
    at = OpBuilder(op)
    (offset,), sizes, strides = (
        guards.mixed(op, n, v, at) for n, v in zip(static, (op.offsets, op.sizes, op.strides), strict=True)
    )
    _check_reinterpreted(guards, op, sizes)
    text = f"{op.name}: the view from element {{}} on is not within the {{}} elements of the memref"
    if None not in source.sizes and all(constant_of(v) is not None for v in (offset, *sizes, *strides)):
        known = [[constant_of(v) or 0 for v in values] for values in ([offset], sizes, strides)]
        ends = [(n - 1) * s for n, s in zip(known[1], known[2], strict=True)]
        count = prod(n or 0 for n in source.sizes)
        inside = known[0][0] + sum(min(e, 0) for e in ends) >= 0 and known[0][0] + sum(max(e, 0) for e in ends) < count
        holds = min(known[1], default=1) >= 0 and (0 in known[1] or inside)
        return guards.demand(at, holds, text, offset, at.index(count))
    _guard_reach(guards, at, op, offset, sizes, strides, text)


def _guard_reach(
    guards: Guards,
    at: OpBuilder,
    op: memref.ReinterpretCastOp,
    offset: SSAValue,
    sizes: Sequence[SSAValue],
    strides: Sequence[SSAValue],
    text: str,
) -> None:
    core, zero, one = at.core, at.index(0), at.index(1)
    count = at.index(
        at.product([guards.size(at, op.source, k) for k in range(len(memref_type(op.source).get_shape()))])
    )
    fits = core.both(core.compare("sge", offset, zero), core.compare("sle", offset, count))
    low = high = offset
    natural = empty = None
    for size, stride in zip(sizes, strides, strict=True):
        steps = core.sub(size, one)
        length = core.max(core.select(core.compare("sgt", stride, zero), stride, core.sub(0, stride)), one)
        still = core.compare("eq", stride, zero)
        fits = core.both(fits, core.either(still, core.compare("ule", steps, core.div(count, length))))
        reach = core.mul(steps, stride)
        low, high = core.add(low, core.smin(reach, zero)), core.add(high, core.smax(reach, zero))
        above, none = core.compare("sge", size, zero), core.compare("eq", size, zero)
        natural = above if natural is None else core.both(natural, above)
        empty = none if empty is None else core.either(empty, none)
    fits = core.both(fits, core.both(core.compare("sge", low, zero), core.compare("slt", high, count)))
    if natural is not None and empty is not None:
        fits = core.both(natural, core.either(empty, fits))
    guards.check(at, fits, text, offset, count)


def _check_reinterpreted(guards: Guards, op: memref.ReinterpretCastOp, sizes: Sequence[SSAValue]) -> None:
    strides = _statics(op.static_strides)
    layout = guards.layout(op, op.result)
    if not layout.identity:
        _typed(guards, op, op.result, _statics(op.static_sizes), strides)
        return
    if tuple(layout.sizes) != tuple(_statics(op.static_sizes)):
        _ill_typed(op, op.result, "sizes")
    # Row by row, as far as the strides are known or the same values as the sizes.
    given = iter(op.strides)
    values = [None if s is not None else next(given) for s in strides]
    for axis, (stride, value) in enumerate(zip(strides, values, strict=True)):
        inner = sizes[axis + 1 :]
        if (
            stride is None
            and value is not None
            and len(inner) == 1
            and guards.form(value).key == guards.form(inner[0]).key
        ):
            continue
        numbers = [constant_of(n) for n in inner]
        if layout.sizes[axis] != 1 and (None in numbers or stride != prod(n or 0 for n in numbers)):
            _ill_typed(op, op.result, "strides")


@GUARDS.on("memref.view")
def guard_bytes(guards: Guards, op: memref.ViewOp) -> None:
    """The bytes are in the source, and the first one is where an element may start."""
    _dense(guards, op, op.source)
    layout = _dense(guards, op, op.result)
    element = byte_size(layout.element)
    if element is None:
        message = f"'{op.name}' is of elements of {layout.element}, of which nothing says how many bytes they have"
        raise PassError(op, "guard-view-bytes", message, hint="take elements of a number type")
    at = OpBuilder(op)
    core, zero, one = at.core, at.index(0), at.index(1)
    bytes, start = guards.size(at, op.source, 0), op.byte_shift
    fits = core.both(core.compare("sge", start, zero), core.compare("sle", start, bytes))
    total, given = at.index(element), iter(op.sizes)
    for size in (at.index(n) if n is not None else next(given) for n in layout.sizes):
        fits = core.both(fits, core.compare("sge", size, zero))
        fits = core.both(fits, core.compare("ule", total, core.div(bytes, core.max(size, one))))
        total = core.mul(total, size)
    empty = core.compare("eq", total, zero)
    fits = core.both(fits, core.either(empty, core.compare("sle", total, core.sub(bytes, start))))
    guards.check(
        at, fits, f"{op.name}: the view from byte {{}} on is not within the {{}} bytes of the memref", start, bytes
    )
    alignment = element_alignment(layout.element) or 1
    if alignment > 1:
        address = start
        if not isinstance(op.source.owner, memref.AllocOp | memref.AllocaOp):
            address = core.add(start, at.op(memref.ExtractAlignedPointerAsIndexOp.get(op.source)))
        even = core.compare("eq", core.both(address, alignment - 1), zero)
        guards.check(
            at, even, f"{op.name}: byte {{}} is no address of elements of {{}} bytes", start, at.index(alignment)
        )


@GUARDS.on("memref.collapse_shape")
def guard_collapse(guards: Guards, op: memref.CollapseShapeOp) -> None:
    """Memory without gaps is the same under any shape with as many elements, which the type must say."""
    source, result = _dense(guards, op, op.src), _dense(guards, op, op.result)
    if [_product([source.sizes[k] for k in g]) for g in _groups(op)] != list(result.sizes):
        _ill_typed(op, op.result, "sizes")


@GUARDS.on("memref.expand_shape")
def guard_expand(guards: Guards, op: memref.ExpandShapeOp) -> None:
    """Each axis has as many elements as those that it becomes."""
    source, result = _dense(guards, op, op.src), _dense(guards, op, op.result)
    if _statics(op.static_output_shape) != list(result.sizes):
        _ill_typed(op, op.result, "sizes")
    at = OpBuilder(op)
    sizes = guards.mixed(op, [int(n) for n in op.static_output_shape.iter_values()], op.output_shape, at)
    for axis, group in enumerate(_groups(op)):
        known = _product([result.sizes[k] for k in group])
        if known is not None and known == source.sizes[axis]:
            continue
        if len(group) == 1 and guards.form(sizes[group[0]]).key == guards.bounds.size(op.src, axis).key:
            continue
        _guard_group(guards, op, at, axis, [sizes[k] for k in group])


def _guard_group(guards: Guards, op: memref.ExpandShapeOp, at: OpBuilder, axis: int, sizes: Sequence[SSAValue]) -> None:
    """The sizes divide what is left, one after the other, so that no product wraps."""
    core, zero = at.core, at.index(0)
    size = rest = guards.size(at, op.src, axis)
    natural, divides = core.compare("sge", size, zero), core.compare("sge", size, zero)
    empty = core.compare("slt", size, zero)
    for part in sizes:
        natural = core.both(natural, core.compare("sge", part, zero))
        empty = core.either(empty, core.compare("eq", part, zero))
        safe = core.max(part, 1)
        divides = core.both(divides, core.compare("eq", core.rem(rest, safe), zero))
        rest = core.div(rest, safe)
    full = core.both(divides, core.compare("eq", rest, at.index(1)))
    fits = core.both(natural, core.select(empty, core.compare("eq", size, zero), full))
    guards.check(at, fits, f"{op.name}: the sizes that axis {axis} of size {{}} becomes have another product", size)


def _groups(op: Any) -> list[list[int]]:
    return [[axis.value.data for axis in group.data] for group in op.reassociation.data]


def _product(sizes: Sequence[int | None]) -> int | None:
    return None if None in sizes else prod(n or 0 for n in sizes)


@GUARDS.on("memref.extract_strided_metadata")
def guard_metadata(guards: Guards, op: Any) -> None:
    """Sizes, strides and the offset are numbers; the buffer below is a pointer."""
    if op.base_buffer.first_use is not None:
        raise PassError(
            op, "guard-base-buffer", f"'{op.name}' gives the buffer below a view, which is a raw pointer", hint=FLAG
        )


@GUARDS.on("memref.copy")
def guard_copy(guards: Guards, op: memref.CopyOp) -> None:
    """Both have the same sizes."""
    for axis in range(len(memref_type(op.source).get_shape())):
        text = f"{op.name}: size {{}} of the source is not size {{}} of the target along axis {axis}"
        guards.equal(op, (op.source, axis), (op.destination, axis), text)


@GUARDS.on("tensor.insert_slice")
def guard_insertion(guards: Guards, op: tensor.InsertSliceOp) -> None:
    """The part is in the tensor."""
    shape = cast("TensorType[Attribute]", op.dest.type).get_shape()
    offsets, sizes, steps = (
        _mixed(static, given)
        for static, given in (
            (op.static_offsets, op.offsets), (op.static_sizes, op.sizes), (op.static_strides, op.strides)
        )
    )  # fmt: skip
    for axis, (offset, size, step) in enumerate(zip(offsets, sizes, steps, strict=True)):
        if not isinstance(step, int) or step < 1 or (step > 1 and not isinstance(size, int)):
            message = f"'{op.name}' into a {op.dest.type} is at a place along axis {axis} that nothing proves"
            raise PassError(op, "guard-slice", message, hint="give static sizes, or write hologram.concat")
        if size == 0:
            guards.proven += 1
            continue
        at = OpBuilder(op)
        end: SSAValue | int = shape[axis]
        if end == DYNAMIC_INDEX:
            end = at.op(tensor.DimOp(op.dest, at.index(axis)))
        first, text = at.index(offset), f"{op.name}: offset {{}} is past {{}} along axis {axis}"
        if isinstance(size, int):
            last = (size - 1) * step + 1
            most = at.index(end - last) if isinstance(end, int) else at.core.sub(end, last)
            fits = [guards.at_most(at, at.index(0), first), guards.at_most(at, first, most)]
        else:
            # Neither the size nor what is left beyond it is below 0, so that no difference wraps.
            most = at.core.sub(at.index(end), size)
            fits = [
                guards.at_most(at, low, high)
                for low, high in ((at.index(0), size), (size, at.index(end)), (at.index(0), first), (first, most))
            ]
        guards.demand(at, guards.both(at, fits), text, first, most)


def _mixed(static: Any, given: Iterable[SSAValue]) -> list[SSAValue | int]:
    """Static numbers, with the others where they belong."""
    dynamic = iter(given)
    return [next(dynamic) if n is None else n for n in _statics(static)]


@GUARDS.on("memref.dim", "tensor.dim")
def guard_dim(guards: Guards, op: memref.DimOp | tensor.DimOp) -> None:
    """The memref or tensor has the axis."""
    rank = len(memref_type(op.source).get_shape())
    if not guards.bounds.proves_inside(op, op.index, constant(rank)):
        at = OpBuilder(op)
        limit = at.index(rank)
        fits = at.core.compare("ult", op.index, limit)
        guards.check(at, fits, f"{op.name}: there is no axis {{}}, the rank is {{}}", op.index, limit)
