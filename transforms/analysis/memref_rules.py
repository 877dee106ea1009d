"""Rules of upstream's memref dialect that xDSL's verifiers lack: what the types of views are, and what symbols name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    MemRefType,
    StridedLayoutAttr,
    SymbolRefAttr,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
from xdsl.traits import is_side_effect_free

from hologram.dialects.custom.atomic_kinds import KINDS
from hologram.dialects.layouts import layout_of
from hologram.errors import VerifyError, where_of

_Type: TypeAlias = MemRefType[Any]
_Number: TypeAlias = int | None
"""A size, a stride or an offset; None where it is not known."""


def _need(holds: bool, message: str, at: Operation | None = None) -> None:
    """Refuse an operation on memrefs whose types and numbers do not fit, with what does not hold of it."""
    if holds:
        return
    error = VerifyError("memref-rule", message)
    error.where = None if at is None else where_of(at)
    raise error


def _type(value: SSAValue) -> _Type:
    return cast("_Type", value.type)


def _known(numbers: Any) -> list[_Number]:
    return [None if n == DYNAMIC_INDEX else int(n) for n in numbers.get_values()]


def _sizes(type: _Type) -> list[_Number]:
    return [None if n == DYNAMIC_INDEX else n for n in type.get_shape()]


def _times(first: _Number, second: _Number) -> _Number:
    if 0 in (first, second):
        return 0
    return None if first is None or second is None else first * second


def _shown(numbers: Sequence[_Number]) -> str:
    return f"[{', '.join('?' if n is None else str(n) for n in numbers)}]"


def _coefficients(expr: AffineExpr, dims: int) -> Sequence[_Number] | None:
    """The strides and, at the end, the offset that an affine expression has, or None if it is no sum of products."""
    match expr:
        case AffineConstantExpr():
            return [0] * dims + [expr.value]
        case AffineDimExpr():
            return [int(n == expr.position) for n in range(dims)] + [0]
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add):
            left, right = _coefficients(expr.lhs, dims), _coefficients(expr.rhs, dims)
            if left is None or right is None:
                return None
            return [None if None in (a, b) else (a or 0) + (b or 0) for a, b in zip(left, right, strict=True)]
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Mul, rhs=AffineConstantExpr(value=factor)):
            left = _coefficients(expr.lhs, dims)
            return None if left is None else [_times(n, factor) for n in left]
        case AffineSymExpr():
            return [0] * dims + [None]
        case _:
            return None


def _layout(type: _Type) -> Sequence[_Number] | None:
    """The strides and, at the end, the offset of a memref; None if it is not strided."""
    layout = type.layout
    if isinstance(layout, AffineMapAttr):
        map = layout.data
        if map != AffineMap.identity(map.num_dims):
            return _coefficients(map.results[0], map.num_dims) if len(map.results) == 1 else None
    known = layout_of(type)
    return None if known is None else [*known.strides, _offset(type)]


def _offset(type: _Type) -> _Number:
    if isinstance(type.layout, StridedLayoutAttr):
        return type.layout.get_offset()
    if not isinstance(type.layout, AffineMapAttr) or _is_identity(type):
        return 0
    return (_layout(type) or [None])[-1]


def _strides(type: _Type) -> list[_Number] | None:
    layout = _layout(type)
    return None if layout is None else [*layout[:-1]]


def _needed_strides(type: _Type) -> list[_Number]:
    """The strides of a memref whose addresses must be sums of indices times strides."""
    strides = _strides(type)
    _need(strides is not None, f"{type} is not strided, so that there are no views of it")
    return strides or []


def _is_identity(type: _Type) -> bool:
    layout = type.layout
    if isinstance(layout, AffineMapAttr):
        return layout.data == AffineMap.identity(layout.data.num_dims)
    return not isinstance(layout, StridedLayoutAttr)


def _same_memory(op: Operation, source: _Type, result: _Type) -> None:
    """Refuse a view of other elements, or in another memory space."""
    alike = (source.element_type, source.memory_space) == (result.element_type, result.memory_space)
    _need(alike, f"'{op.name}' keeps elements and memory space, but makes {result} of {source}")


# Subviews


def check_subview(op: Any) -> None:
    """The sizes, strides and offset of the result follow from those of the source; axes of size 1 may be left out."""
    source, result = _type(op.source), _type(op.result)
    offsets, sizes, steps = (_known(n) for n in (op.static_offsets, op.static_sizes, op.static_strides))
    rank = source.get_num_dims()
    fits = len(offsets) == len(sizes) == len(steps) == rank
    _need(fits, f"'{op.name}' has an offset, a size and a stride for each of the {rank} axes of {source}")
    _need(all(n is None or n >= 0 for n in (*offsets, *sizes)), f"offsets and sizes of '{op.name}' are not negative")
    strides = _needed_strides(source)
    _same_memory(op, source, result)
    _check_inside(op, offsets, sizes, steps)
    moved = [_times(o, s) for o, s in zip(offsets, strides, strict=True)]
    offset = None if None in moved or _offset(source) is None else sum(n or 0 for n in moved) + (_offset(source) or 0)
    wanted = [*zip(sizes, [_times(a, b) for a, b in zip(strides, steps, strict=True)], strict=True)]
    given = [*zip(_sizes(result), _strides(result) or [], strict=False)]
    same = len(given) == result.get_num_dims() and _is_part(given, wanted) and _offset(result) == offset
    lists = f"sizes {_shown(sizes)}, strides {_shown([s for _, s in wanted])} and offset {_shown([offset])[1:-1]}"
    _need(same, f"the result of '{op.name}' has {lists}, or that without axes of size 1; {result} has not")


def _check_inside(op: Any, offsets: Sequence[_Number], sizes: Sequence[_Number], steps: Sequence[_Number]) -> None:
    for axis, whole in enumerate(_sizes(_type(op.source))):
        offset, size, step = offsets[axis], sizes[axis], steps[axis]
        if whole is None or offset is None:
            continue
        last = offset if not size or step is None else max(offset, offset + (size - 1) * step)
        _need(last < whole, f"'{op.name}' leaves its source along axis {axis}, which has {whole} elements")


def _is_part(given: Sequence[Any], wanted: Sequence[Any]) -> bool:
    """Return whether axes are the wanted ones, of which those of size 1 may be left out."""
    if not wanted:
        return not given
    if given and given[0] == wanted[0] and _is_part(given[1:], wanted[1:]):
        return True
    return wanted[0][0] == 1 and len(given) < len(wanted) and _is_part(given, wanted[1:])


def check_reinterpret(op: Any) -> None:
    """The result has the numbers that are given, or does not know them."""
    result = _type(op.result)
    offsets, sizes, strides = (_known(n) for n in (op.static_offsets, op.static_sizes, op.static_strides))
    _need(len(offsets) == 1, f"'{op.name}' has one offset")
    fits = len(sizes) == len(strides) == result.get_num_dims()
    _need(fits, f"'{op.name}' has a size and a stride for each axis of {result}")
    _same_memory(op, _type(op.source), result)
    known = _needed_strides(result)
    values = (op.offsets, op.sizes, op.strides)
    counts = all(n.count(None) == len(v) for n, v in zip((offsets, sizes, strides), values, strict=True))
    _need(counts, f"'{op.name}' has a value for each number that is not known")
    for word, have, want in (
        ("offset", [_offset(result)], offsets), ("sizes", _sizes(result), sizes), ("strides", known, strides),
    ):  # fmt: skip
        alike = all(h is None or h == w for h, w in zip(have, want, strict=True))
        _need(alike, f"'{op.name}' gives the {word} {_shown(want)}, and {result} has {_shown(have)}")


# Shapes


def _groups(op: Any) -> list[list[int]]:
    return [[n.value.data for n in group] for group in op.reassociation]


def _check_groups(op: Any, expanded: _Type, collapsed: _Type) -> None:
    """Refuse groups of axes that are not those of the two types, and sizes that do not fit."""
    groups, sizes = _groups(op), _sizes(expanded)
    count = collapsed.get_num_dims()
    _need(len(groups) == count, f"'{op.name}' has {len(groups)} groups of axes, and {collapsed} has {count} axes")
    if not count:
        _need(all(n == 1 for n in sizes), f"'{op.name}' makes a memref without axes of one with sizes of 1 alone")
        return
    flat = [axis for group in groups for axis in group]
    _need(flat == [*range(len(sizes))], f"the groups of '{op.name}' have each axis of {expanded} once, in order")
    for number, (group, size) in enumerate(zip(groups, _sizes(collapsed), strict=True)):
        parts = [sizes[axis] for axis in group]
        whole = None if None in parts else prod(n or 0 for n in parts)
        _need(size == whole, f"axis {number} of {collapsed} is not made of axes {group} of {expanded}")


def check_collapse(op: Any) -> None:
    """Axes become one where the elements along them lie behind each other."""
    source, result = _type(op.src), _type(op.result)
    _check_groups(op, source, result)
    _same_memory(op, source, result)
    if _is_identity(source) or (source.get_num_dims(), _strides(source), _offset(source)) == (1, [1], 0):
        _need(_is_identity(result), f"'{op.name}' of {source} has no layout, but {result} has")
        return
    sizes, strides = _sizes(source), _needed_strides(source)
    collapsed: list[_Number] = []
    for group in _groups(op):
        axes = [n for n in group if sizes[n] != 1] or group[:1]
        last = axes[-1]
        collapsed.append(strides[last] if sizes[last] is not None or len(axes) == 1 else None)
        step = collapsed[-1]
        for before, axis in zip(reversed(group[:-1]), reversed(group[1:]), strict=True):
            step = _times(step, sizes[axis])
            fits = sizes[before] == 1 or None in (step, strides[before]) or step == strides[before]
            _need(fits, f"axes {group} of {source} can't become one: their elements do not lie behind each other")
    _check_layout(op, result, collapsed, _offset(source))


def check_expand(op: Any) -> None:
    """Axes become several, the last of which has the stride of the one that they come from."""
    source, result, given = _type(op.src), _type(op.result), _known(op.static_output_shape)
    count = result.get_num_dims()
    _need(len(given) == count, f"'{op.name}' has a size for each of the {count} axes of {result}")
    _check_groups(op, result, source)
    _same_memory(op, source, result)
    sizes = _sizes(result)
    fits = all(size is None or size == g for size, g in zip(sizes, given, strict=True))
    _need(fits, f"'{op.name}' has the output shape {_shown(given)}, which is not that of {result}")
    if _is_identity(source) or (source.get_num_dims(), _strides(source), _offset(source)) == (1, [1], 0):
        _need(_is_identity(result), f"'{op.name}' of {source} has no layout, but {result} has")
        return
    strides = _needed_strides(source)
    expanded: list[_Number] = []
    for group, stride in zip(_groups(op), strides, strict=True):
        step, part = stride, list[_Number]()
        for axis in reversed(group):
            part.insert(0, step)
            step = _times(step, sizes[axis])
        expanded += part
    _check_layout(op, result, expanded, _offset(source))


def _check_layout(op: Operation, result: _Type, strides: Sequence[_Number], offset: _Number) -> None:
    fits = isinstance(result.layout, StridedLayoutAttr) and _strides(result) == [*strides] and _offset(result) == offset
    layout = f"strided<{_shown(strides)}, offset: {_shown([offset])[1:-1]}>"
    _need(fits, f"the result of '{op.name}' has the layout {layout}, which {result} has not")


def check_transpose(op: Any) -> None:
    """The sizes and strides of the source, in the order of the map."""
    source, result, map = _type(op.in_), _type(op.result), op.permutation.data
    axes = [e.position for e in map.results if isinstance(e, AffineDimExpr)]
    _need(sorted(axes) == [*range(source.get_num_dims())], f"{op.permutation} is no order of the axes of {source}")
    _same_memory(op, source, result)
    sizes, strides = _sizes(source), _needed_strides(source)
    fits = _sizes(result) == [sizes[n] for n in axes] and _strides(result) == [strides[n] for n in axes]
    _need(fits and _offset(result) == _offset(source), f"{source} with its axes in the order {axes} is no {result}")


# Memory


def check_global(op: Any) -> None:
    """The initial value has the elements and sizes of the memref."""
    check_alignment(op)
    word = "public" if op.sym_visibility is None else op.sym_visibility.data
    _need(word in ("public", "private", "nested"), f"'{op.name}' is public, private or nested, not \"{word}\"")
    _need(DYNAMIC_INDEX not in op.type.get_shape(), f"'{op.name}' has a memref whose sizes are known, not {op.type}")
    value, kind = op.initial_value, cast("_Type", op.type)
    if not isinstance(value, DenseIntOrFPElementsAttr):
        return
    type: Any = value.type  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    fits = type.get_element_type() == kind.element_type and [*type.get_shape()] == [*kind.get_shape()]
    _need(fits, f"'{op.name}' of the type {kind} has an initial value of the type {type}")


def check_get_global(op: Any, found: Operation | None) -> None:
    """The symbol names a memref.global of the type of the result."""
    name = cast("SymbolRefAttr", op.name_).string_value()
    _need(found is not None and found.name == "memref.global", f"there is no memref.global @{name} here")
    wanted = cast("Any", found).type
    _need(wanted == op.memref.type, f"@{name} is a {wanted}, not a {op.memref.type}")


def check_alloc(op: Any) -> None:
    """A layout has its symbols: those of its map, or the strides and the offset that are not known."""
    layout = _type(op.memref).layout
    count = layout.data.num_symbols if isinstance(layout, AffineMapAttr) else 0
    if isinstance(layout, StridedLayoutAttr):
        count = [*layout.get_strides(), layout.get_offset()].count(None)
    _need(len(op.symbol_operands) == count, f"'{op.name}' has {len(op.symbol_operands)} symbols, not {count}")


def check_alignment(op: Operation) -> None:
    """An alignment is a power of two."""
    value = op.get_attr_or_prop("alignment")
    if not isinstance(value, IntegerAttr):
        return
    number = value.value.data
    _need(number > 0 and not number & (number - 1), f"the alignment of '{op.name}' is a power of two, not {number}")
    is_wide = cast("Any", value).type == i64
    _need(op.name == "memref.assume_alignment" or is_wide, f"the alignment of '{op.name}' is an i64")


def check_dim(op: Any) -> None:
    """What has no axes has no sizes."""
    is_scalar = op.source.type.name == "memref" and not _type(op.source).get_num_dims()
    _need(not is_scalar, f"{op.source.type} has no axis")


def check_atomic(op: Any) -> None:
    """The kind is one of the elements: those of floats end with f."""
    memref, number = _type(op.memref), op.kind.value.data
    _need(0 <= number < len(KINDS), f"'{op.name}' has no kind {number}")
    kind = KINDS[int(number)]
    count = memref.get_num_dims()
    _need(len(op.indices) == count, f"'{op.name}' has {len(op.indices)} indices, and {memref} has {count} axes")
    is_float = isinstance(op.value.type, AnyFloat)
    fits = kind == "assign" or (kind[-1] == "f") == is_float
    _need(fits, f"'{op.name}' can't do {kind} with elements of {memref}")


def check_generic_atomic(op: Any) -> None:
    """The body may run several times, so that nothing in it has effects."""
    for inner in op.atomic_body.block.ops:
        is_free = inner is op.atomic_body.block.last_op or is_side_effect_free(inner)
        _need(is_free, f"'{inner.name}' has effects, which '{op.name}' may not have in its body", inner)


def check_atomic_yield(op: Any) -> None:
    """The new element has the type of the elements."""
    wanted = op.parent_op().result.type
    _need(op.result.type == wanted, f"'{op.name}' gives a {op.result.type} where elements are {wanted}")


MEMREF_RULES: Mapping[str, Any] = {
    "memref.alloc": check_alloc,
    "memref.alloca": check_alloc,
    "memref.assume_alignment": check_alignment,
    "memref.atomic_rmw": check_atomic,
    "memref.atomic_yield": check_atomic_yield,
    "memref.collapse_shape": check_collapse,
    "memref.dim": check_dim,
    "memref.expand_shape": check_expand,
    "memref.generic_atomic_rmw": check_generic_atomic,
    "memref.global": check_global,
    "memref.load": check_alignment,
    "memref.reinterpret_cast": check_reinterpret,
    "memref.store": check_alignment,
    "memref.subview": check_subview,
    "memref.transpose": check_transpose,
}
