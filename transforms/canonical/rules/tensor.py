"""Tensors: casts, sizes, elements, slices, and shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DenseArrayBase, IntegerAttr, TensorType, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from hologram.dialects.arith import constant_of
from hologram.support.registry import Registry
from hologram.transforms.canonical.rules import Folds, Patterns
from hologram.transforms.canonical.rules.constants import integer
from hologram.transforms.canonical.rules.dense import (
    cell_of,
    cells,
    change_operand,
    create,
    dense_of,
    from_cells,
    is_tensor,
    maker,
    replace_by,
    scalar,
    scalar_constant,
    size_of,
    splat,
    splat_cell,
    strides_of,
)

Size: TypeAlias = "int | SSAValue"


def _shape(type: Any) -> tuple[int, ...] | None:
    """The shape of a tensor; None where not even the number of its axes is known."""
    return tuple(type.get_shape()) if is_tensor(type) else None


def _is_static(type: Any) -> bool:
    return is_tensor(type) and DYNAMIC_INDEX not in type.get_shape()


def _resized(type: Any, shape: Sequence[int]) -> Any:
    """A tensor type with another shape."""
    return TensorType(type.element_type, shape, type.encoding)


def _agree(known: Sequence[int], given: Sequence[int]) -> bool:
    """Return whether each size is the same as another's, or known where the other's is not."""
    return len(known) == len(given) and all(a == b or b == DYNAMIC_INDEX for a, b in zip(known, given, strict=True))


def _replace_cast(op: Operation, rewriter: PatternRewriter, new: Operation) -> None:
    """Replace an operation by one whose result has a type that says more."""
    type = op.results[0].type
    same = new.results[0].type == type
    rewriter.replace(op, new if same else [new, create("tensor.cast", new.results, [type])])


# Folds


def fold_cast(op: Any) -> SSAValue | None:
    """To the same type"""
    return op.operands[0] if op.operands[0].type == op.results[0].type else None


def fold_dim(op: Any) -> Attribute | SSAValue | None:
    """A static size, or the value that gave a dynamic one"""
    axis, source = constant_of(op.operands[1]), op.operands[0]
    shape = _shape(source.type)
    if axis is None or shape is None or not 0 <= axis < len(shape):
        return None
    if shape[axis] != DYNAMIC_INDEX:
        return integer(shape[axis], op.results[0].type)
    place = sum(n == DYNAMIC_INDEX for n in shape[:axis])
    made = maker(source, "tensor.empty", "tensor.generate", "tensor.splat", "tensor.extract_slice")
    if made is None:
        return None
    if made.name == "tensor.extract_slice":
        sizes = _sizes(made)["sizes"]
        found = sizes[axis] if len(sizes) == len(shape) else None
        return found if isinstance(found, SSAValue) else None
    return made.operands[place + (made.name == "tensor.splat")]


def fold_extract(op: Any) -> Attribute | SSAValue | None:
    """An element of a constant, of from_elements, or one that repeats"""
    source, type = op.operands[0], op.results[0].type
    if (cell := splat_cell(dense_of(source))) is not None:
        return scalar(type, cell)
    if (made := maker(source, "tensor.splat")) is not None:
        return made.operands[0]
    position = [constant_of(n) for n in op.operands[1:]]
    if None in position or not _is_static(source.type):
        return None
    numbers = cast("list[int]", position)
    if not all(0 <= n < size for n, size in zip(numbers, source.type.get_shape(), strict=True)):
        return None
    place = sum(n * s for n, s in zip(numbers, strides_of(source.type.get_shape()), strict=True))
    if (dense := dense_of(source)) is not None:
        return scalar(type, cells(dense)[place])
    made = maker(source, "tensor.from_elements")
    return None if made is None else made.operands[place]


def fold_insert(op: Any) -> SSAValue | None:
    """The element that all others are"""
    cell = cell_of(scalar_constant(op.operands[0]))
    return op.operands[1] if cell is not None and cell == splat_cell(dense_of(op.operands[1])) else None


def fold_from_elements(op: Any) -> Attribute | None:
    """Constants"""
    parts = [cell_of(scalar_constant(value)) for value in op.operands]
    return None if None in parts or not parts else from_cells(op.results[0].type, cast("list[bytes]", parts))


def fold_splat(op: Any) -> Attribute | None:
    """A constant, as often as the type says"""
    cell, type = cell_of(scalar_constant(op.operands[0])), op.results[0].type
    return splat(type, cell) if cell is not None and _is_static(type) and size_of(type) else None


def fold_shape(op: Any) -> Attribute | SSAValue | None:
    """To the same shape, back to the one before, or of a constant"""
    source, type = op.operands[0], op.results[0].type
    if source.type == type and (op.name == "tensor.collapse_shape" or _is_static(type) or _is_identity(op)):
        return source
    other = "tensor.expand_shape" if op.name == "tensor.collapse_shape" else "tensor.collapse_shape"
    made = maker(source, other)
    if made is not None and made.operands[0].type == type and _undoes(op, made):
        return made.operands[0]
    return _reshaped(source, type)


def _reshaped(source: SSAValue, type: Any) -> Attribute | None:
    """The constant that another shape of a constant is."""
    dense = dense_of(source)
    return from_cells(type, cells(dense)) if dense is not None and _is_static(type) else None


def _is_identity(op: Any) -> bool:
    return all(len(group.data) == 1 for group in op.properties["reassociation"])


def _undoes(op: Any, made: Any) -> bool:
    """Return whether a shape that is changed twice is the first again: groups are the same, and tell each size."""
    if op.properties["reassociation"] != made.properties["reassociation"]:
        return False
    shape = _shape(op.results[0].type)
    return shape is not None and all(_are_sure([shape[n] for n in group]) for group in _split_groups(op, shape))


def _are_sure(sizes: Sequence[int]) -> bool:
    """Return whether the product of sizes tells the one that is not known, if there is one."""
    unknown = sizes.count(DYNAMIC_INDEX)
    return unknown == 0 or (unknown == 1 and (0 not in sizes or len(sizes) == 1))


def _split_groups(op: Any, shape: Sequence[int]) -> list[list[int]]:
    """The axes of a result that came from one axis each; a join makes single axes."""
    return _groups(op) if op.name == "tensor.expand_shape" else [[n] for n in range(len(shape))]


def fold_reshape(op: Any) -> Attribute | SSAValue | None:
    """To the same shape, of which at most one size is open"""
    source, type = op.operands[0], op.results[0].type
    shape = _shape(type)
    if source.type == type and shape is not None and shape.count(DYNAMIC_INDEX) <= 1 and 0 not in shape:
        return source
    return _reshaped(source, type)


def fold_gather(op: Any) -> Attribute | None:
    """From a constant that repeats one element"""
    cell, type = splat_cell(dense_of(op.operands[0])), op.results[0].type
    return splat(type, cell) if cell is not None and _is_static(type) else None


def fold_pad(op: Any) -> SSAValue | None:
    """A tensor whose static shape stays, unless it must be a copy"""
    source, type = op.operands[0], op.results[0].type
    return source if source.type == type and _is_static(type) and "nofold" not in op.properties else None


def fold_concat(op: Any) -> SSAValue | None:
    """Of one tensor, of the same type"""
    return op.operands[0] if len(op.operands) == 1 and op.operands[0].type == op.results[0].type else None


def fold_slice(op: Any) -> Attribute | SSAValue | None:
    """All of a tensor, or a part of a constant that repeats one element"""
    source, type = op.operands[0], op.results[0].type
    if source.type == type and _takes_all(op, source.type):
        return source
    made = maker(source, "tensor.insert_slice")
    if made is not None and made.operands[0].type == type and _same_slice(made, op):
        return made.operands[0]
    cell = splat_cell(dense_of(source))
    return splat(type, cell) if cell is not None and _is_static(type) else None


def _same_slice(a: Any, b: Any) -> bool:
    return _known(_sizes(a)) == _known(_sizes(b))


def fold_insert_slice(op: Any) -> SSAValue | None:
    """All of a tensor, nothing, or what is there"""
    source, into = op.operands[0], op.operands[1]
    made = maker(source, "tensor.extract_slice")
    if made is not None and made.operands[0] is into and _same_slice(made, op):
        return into
    if source.type == into.type and _takes_all(op, into.type):
        return source
    return into if _is_static(source.type) and 0 in source.type.get_shape() else None


def _takes_all(op: Any, type: Any) -> bool:
    parts = _sizes(op)
    plain = all(n == 0 for n in parts["offsets"]) and all(n == 1 for n in parts["strides"])
    return plain and _is_static(type) and parts["sizes"] == list(type.get_shape())


# Slices

_LISTS = ("offsets", "sizes", "strides")


def _sizes(op: Any) -> dict[str, list[Size]]:
    """The offsets, sizes and strides of a slice, each a number or a value."""
    found: dict[str, list[Size]] = {}
    for name in _LISTS:
        values = iter(getattr(op, name))
        numbers = op.properties[f"static_{name}"].get_values()
        found[name] = [next(values) if n == DYNAMIC_INDEX else n for n in numbers]
    return found


def _slice(name: str, operands: Sequence[SSAValue], parts: dict[str, list[Size]], type: Attribute) -> Operation:
    """Make a slice of, or into, a tensor."""
    values = {key: [n for n in parts[key] if isinstance(n, SSAValue)] for key in _LISTS}
    properties: dict[str, Attribute] = {
        f"static_{key}": DenseArrayBase.from_list(i64, [n if isinstance(n, int) else DYNAMIC_INDEX for n in parts[key]])
        for key in _LISTS
    }
    segments = [*[1] * len(operands), *(len(values[key]) for key in _LISTS)]
    properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, segments)
    return create(name, [*operands, *(v for key in _LISTS for v in values[key])], [type], properties)


def _known(parts: dict[str, list[Size]]) -> dict[str, list[Size]]:
    """The parts of a slice with constants as numbers; those that no slice may have stay values."""

    def known(key: str, n: Size) -> Size:
        number = constant_of(n) if isinstance(n, SSAValue) else None
        least = 1 if key == "strides" else 0
        return n if number is None or number < least else number

    return {key: [known(key, n) for n in numbers] for key, numbers in parts.items()}


def _reduced(sizes: Sequence[int], rank: int) -> list[int] | None:
    """The sizes without the first that are 1, as many as a result has fewer axes."""
    left, kept = len(sizes) - rank, list[int]()
    for n in sizes:
        if left and n == 1:
            left -= 1
        else:
            kept.append(n)
    return None if left else kept


def slice_of_numbers(op: Any, rewriter: PatternRewriter) -> None:
    """Offsets, sizes and strides that are constants are numbers, and sizes are known of the result"""
    before, type = _sizes(op), op.results[0].type
    parts = _known(before)
    if parts == before:
        return
    shape = _reduced([n if isinstance(n, int) else DYNAMIC_INDEX for n in parts["sizes"]], len(_shape(type) or ()))
    if shape is not None and _agree(shape, type.get_shape()):
        _replace_cast(op, rewriter, _slice(op.name, [op.operands[0]], parts, _resized(type, shape)))


def slice_of_cast(op: Any, rewriter: PatternRewriter) -> None:
    """A slice of a tensor under a type that says less = one of the tensor"""
    made, type = maker(op.operands[0], "tensor.cast"), op.results[0].type
    if made is not None and _says_more(made):
        rewriter.replace(op, _slice(op.name, [made.operands[0]], _sizes(op), type))


def _says_more(made: Any) -> bool:
    """Return whether what a cast takes has all sizes that its result has."""
    before, after = made.operands[0].type, made.results[0].type
    if not is_tensor(before) or not is_tensor(after):
        return False
    return before.encoding == after.encoding and _agree(before.get_shape(), after.get_shape())


def insert_of_numbers(op: Any, rewriter: PatternRewriter) -> None:
    """Offsets, sizes and strides that are constants are numbers, and sizes are known of what is inserted"""
    before, source = _sizes(op), op.operands[0]
    parts = _known(before)
    if parts == before:
        return
    sizes = [n if isinstance(n, int) else DYNAMIC_INDEX for n in parts["sizes"]]
    shape = _reduced(sizes, len(source.type.get_shape()))
    if shape is None:
        return
    # A size that only the type of the source knows stays there.
    joined = [b if a == DYNAMIC_INDEX else a for a, b in zip(shape, source.type.get_shape(), strict=True)]
    if not _agree(joined, source.type.get_shape()):
        return
    new: list[Operation] = []
    if joined != list(source.type.get_shape()):
        new.append(create("tensor.cast", [source], [_resized(source.type, joined)]))
        source = new[-1].results[0]
    rewriter.replace(op, [*new, _slice(op.name, [source, op.operands[1]], parts, op.results[0].type)])


def insert_over_insert(op: Any, rewriter: PatternRewriter) -> None:
    """insert_slice(x, insert_slice(y, z, p), p) = insert_slice(x, z, p)"""
    made = maker(op.operands[1], op.name)
    if made is not None and made.operands[0].type == op.operands[0].type and _same_slice(made, op):
        change_operand(op, rewriter, 1, made.operands[1])


# Casts and shapes


def cast_of_slice(op: Any, rewriter: PatternRewriter) -> None:
    """A cast of a slice, or of an empty tensor, to a type that says more = one of that type"""
    made, type = maker(op.operands[0], "tensor.extract_slice", "tensor.empty"), op.results[0].type
    if made is None or not is_tensor(type) or not _agree(type.get_shape(), made.results[0].type.get_shape()):
        return
    if type.encoding != made.results[0].type.encoding:
        return
    if made.name == "tensor.empty":
        values, before = iter(made.operands), made.results[0].type.get_shape()
        sizes: list[Size] = [next(values) if n == DYNAMIC_INDEX else n for n in before]
        open_sizes = [n for n, k in zip(sizes, type.get_shape(), strict=True) if k == DYNAMIC_INDEX]
        replace_by(op, rewriter, made.name, cast("list[SSAValue]", open_sizes))
        return
    parts = _sizes(made)
    if len(parts["sizes"]) != len(type.get_shape()):
        return
    parts["sizes"] = [
        k if n != k and k != DYNAMIC_INDEX else n for n, k in zip(parts["sizes"], type.get_shape(), strict=True)
    ]
    rewriter.replace(op, _slice(made.name, [made.operands[0]], parts, type))


def cast_of_pad(op: Any, rewriter: PatternRewriter) -> None:
    """A cast of a padded tensor to a type that says more = one of that type, if nothing else uses it"""
    made, type = maker(op.operands[0], "tensor.pad"), op.results[0].type
    if made is None or not is_tensor(type) or len(list(made.results[0].uses)) != 1:
        return
    if type.encoding == made.results[0].type.encoding and _agree(type.get_shape(), made.results[0].type.get_shape()):
        new = _padded(made, made.operands[0], type)
        rewriter.replace(op, new)
        rewriter.erase(made)


def _padded(op: Any, source: SSAValue, type: Attribute) -> Operation:
    """Make a `tensor.pad` of another tensor, or of another type, that takes the region of one."""
    body = op.detach_region(op.regions[0])
    op.add_region(Region(Block()))
    operands = [source, *op.operands[1:]]
    return op.__class__.create(
        operands=operands, result_types=[type], properties=op.properties, attributes=op.attributes, regions=[body]
    )


def pad_of_cast(op: Any, rewriter: PatternRewriter) -> None:
    """pad(cast(x)) = pad(x), of which sizes are known where x's are"""
    made = maker(op.operands[0], "tensor.cast")
    if made is None or not _says_more(made):
        return
    source, type = made.operands[0], op.results[0].type
    low, high = (op.properties[f"static_{key}"].get_values() for key in ("low", "high"))
    sizes = [
        a + n + b if n != DYNAMIC_INDEX and DYNAMIC_INDEX not in (a, b) and k == DYNAMIC_INDEX else k
        for a, n, b, k in zip(low, source.type.get_shape(), high, type.get_shape(), strict=True)
    ]
    if min([0, *(n for n in sizes if n != DYNAMIC_INDEX)]) == 0:
        _replace_cast(op, rewriter, _padded(op, source, _resized(type, sizes)))


def shape_of_splat(op: Any, rewriter: PatternRewriter) -> None:
    """Another shape of splat(x) = splat(x)"""
    made = maker(op.operands[0], "tensor.splat")
    if made is not None and _is_static(op.results[0].type) and len(made.operands) == 1:
        replace_by(op, rewriter, made.name, list(made.operands))


def cast_of_cast(op: Any, rewriter: PatternRewriter) -> None:
    """cast(cast(x)) = cast(x), where the type between says nothing that the others do not"""
    made = maker(op.operands[0], "tensor.cast")
    if made is None:
        return
    first, middle, last = (_shape(v.type) for v in (made.operands[0], made.results[0], op.results[0]))
    if middle is not None:
        ends = [s for s in (first, last) if s is not None and len(s) == len(middle)]
        known = [any(s[n] != DYNAMIC_INDEX for s in ends) for n in range(len(middle))]
        if not ends or any(n != DYNAMIC_INDEX and not k for n, k in zip(middle, known, strict=True)):
            return
    replace_by(op, rewriter, op.name, [made.operands[0]])


def dim_of_cast(op: Any, rewriter: PatternRewriter) -> None:
    """dim(cast(x)) = dim(x), dim(insert(.., x)) = dim(x)"""
    made = maker(op.operands[0], "tensor.cast", "tensor.insert", "tensor.insert_slice")
    if made is not None:
        place = 0 if made.name == "tensor.cast" else 1
        replace_by(op, rewriter, op.name, [made.operands[place], op.operands[1]])


def empty_of_numbers(op: Any, rewriter: PatternRewriter) -> None:
    """Sizes that are constants are sizes of the type"""
    type, values = op.results[0].type, iter(op.operands)
    sizes: list[Size] = [next(values) if n == DYNAMIC_INDEX else n for n in type.get_shape()]
    known = [n if isinstance(n, int) or (c := constant_of(n)) is None or c < 0 else c for n in sizes]
    if known != sizes:
        shape = [n if isinstance(n, int) else DYNAMIC_INDEX for n in known]
        left = [n for n in known if isinstance(n, SSAValue)]
        _replace_cast(op, rewriter, create(op.name, left, [_resized(type, shape)]))


def extract_of_cast(op: Any, rewriter: PatternRewriter) -> None:
    """cast(x)[i] = x[i]"""
    made = maker(op.operands[0], "tensor.cast")
    if made is not None and is_tensor(made.operands[0].type):
        replace_by(op, rewriter, op.name, [made.operands[0], *op.operands[1:]])


def shape_of_shape(op: Any, rewriter: PatternRewriter) -> None:
    """Axes that are joined, or split, twice are so once"""
    made = maker(op.operands[0], op.name)
    if made is None or (op.name == "tensor.expand_shape" and not _is_static(op.results[0].type)):
        return
    first, second = (_groups(o) for o in (made, op))
    # The groups of a split are of its result, those of a join of its operand.
    inner, outer = (first, second) if op.name == "tensor.collapse_shape" else (second, first)
    joined = [[n for m in group for n in inner[m]] for group in outer]
    groups = ArrayAttr([ArrayAttr([IntegerAttr(n, i64) for n in g]) for g in joined])
    properties = {**op.properties, "reassociation": groups}
    rewriter.replace(op, create(op.name, [made.operands[0], *op.operands[1:]], [op.results[0].type], properties))


def _groups(op: Any) -> list[list[int]]:
    return [[n.value.data for n in group] for group in op.properties["reassociation"]]


def join_of_split(op: Any, rewriter: PatternRewriter) -> None:
    """collapse_shape(expand_shape(x)) = the one of both that is left, where groups of one are groups of the other's"""
    made = maker(op.operands[0], "tensor.expand_shape")
    if made is None:
        return
    before, after = (len(_shape(t) or ()) for t in (made.operands[0].type, op.results[0].type))
    split, join = _groups(made), _groups(op)
    many, few = (split, join) if before > after else (join, split)
    place, groups = 0, list[list[int]]()
    for group in few:
        inner: list[int] = []
        while place < len(many) and many[place][-1] <= group[-1]:
            inner.append(place)
            place += 1
        if not inner or many[inner[-1]][-1] != group[-1]:
            return
        groups.append(inner)
    if before != after:
        _reshape(op, rewriter, made.operands[0], groups)


def _reshape(op: Any, rewriter: PatternRewriter, source: SSAValue, groups: Sequence[Sequence[int]]) -> None:
    """Replace an operation by the join or split of axes in these groups; one of sizes that are not known stays."""
    type = op.results[0].type
    properties: dict[str, Attribute] = {
        "reassociation": ArrayAttr([ArrayAttr([IntegerAttr(n, i64) for n in g]) for g in groups])
    }
    if len(cast(Any, source.type).get_shape()) > len(type.get_shape()):
        rewriter.replace(op, create("tensor.collapse_shape", [source], [type], properties))
    elif _is_static(type):
        properties["static_output_shape"] = DenseArrayBase.from_list(i64, type.get_shape())
        rewriter.replace(op, create("tensor.expand_shape", [source], [type], properties))


def split_of_join(op: Any, rewriter: PatternRewriter) -> None:
    """expand_shape(collapse_shape(x)) = a join or a split of x, where each group gives whole groups"""
    made = maker(op.operands[0], "tensor.collapse_shape")
    if made is None:
        return
    first, last = _shape(made.operands[0].type), _shape(op.results[0].type)
    if first is None or last is None or len(first) == len(last):
        return
    (many, few), (wide, narrow) = (_groups(made), _groups(op)), (first, last)
    if len(first) < len(last):
        many, few, wide, narrow = few, many, last, first
    if not many:
        many, few = [[*range(len(wide))]], [[*range(len(narrow))]]
    groups: list[list[int]] = []
    for axes, target in zip(many, few, strict=True):
        found = _joined([wide[n] for n in axes], [narrow[n] for n in target])
        if found is None:
            return
        groups += [[axes[n] for n in group] for group in found]
    _reshape(op, rewriter, made.operands[0], groups)


def _joined(sizes: Sequence[int], target: Sequence[int]) -> list[list[int]] | None:
    """The groups of sizes whose products are those of a target; None where there are none, or not surely."""
    if len(sizes) == len(target):
        sure = list(sizes) == list(target) and _are_sure(sizes)
        return [[n] for n in range(len(sizes))] if sure else None
    if len(target) == 1:
        return [[*range(len(sizes))]]
    if DYNAMIC_INDEX in sizes or DYNAMIC_INDEX in target or 0 in sizes:
        return None
    place, groups = 0, list[list[int]]()
    for number, size in enumerate(target):
        group, product = list[int](), 1
        following = target[number + 1] if number + 1 < len(target) else None
        while place < len(sizes) and (not group or product < size or (sizes[place] == 1 and following != 1)):
            product *= sizes[place]
            group.append(place)
            place += 1
        if not group or product != size:
            return None
        groups.append(group)
    return groups if place == len(sizes) else None


def concat_of_one(op: Any, rewriter: PatternRewriter) -> None:
    """concat(x) = cast(x)"""
    if len(op.operands) == 1:
        replace_by(op, rewriter, "tensor.cast", [op.operands[0]])


def bitcast_of_bitcast(op: Any, rewriter: PatternRewriter) -> None:
    """bitcast(bitcast(x)) = bitcast(x)"""
    made = maker(op.operands[0], "tensor.bitcast")
    if made is not None:
        replace_by(op, rewriter, op.name, [made.operands[0]])


def pad_by_nothing(op: Any, rewriter: PatternRewriter) -> None:
    """A tensor to which nothing is added = its cast, unless it must be a copy"""
    numbers = [n for key in ("static_low", "static_high") for n in op.properties[key].get_values()]
    if "nofold" in op.properties or any(n not in (0, DYNAMIC_INDEX) for n in numbers):
        return
    if all(constant_of(n) == 0 for n in op.operands[1:]):
        replace_by(op, rewriter, "tensor.cast", [op.operands[0]])


def shape_of_elements(op: Any, rewriter: PatternRewriter) -> None:
    """Another shape of from_elements(xs) = from_elements(xs)"""
    made = maker(op.operands[0], "tensor.from_elements")
    if made is not None and _is_static(op.results[0].type):
        replace_by(op, rewriter, made.name, list(made.operands))


FOLDS: Folds = Registry(
    {
        "tensor.cast": fold_cast,
        "tensor.bitcast": fold_cast,
        "tensor.reshape": fold_reshape,
        "tensor.gather": fold_gather,
        "tensor.pad": fold_pad,
        "tensor.concat": fold_concat,
        "tensor.dim": fold_dim,
        "tensor.extract": fold_extract,
        "tensor.insert": fold_insert,
        "tensor.from_elements": fold_from_elements,
        "tensor.splat": fold_splat,
        "tensor.expand_shape": fold_shape,
        "tensor.collapse_shape": fold_shape,
        "tensor.extract_slice": fold_slice,
        "tensor.insert_slice": fold_insert_slice,
    }
)
PATTERNS: Patterns = Registry(
    {
        "tensor.cast": (cast_of_cast, cast_of_slice, cast_of_pad),
        "tensor.dim": (dim_of_cast,),
        "tensor.empty": (empty_of_numbers,),
        "tensor.extract": (extract_of_cast,),
        "tensor.bitcast": (bitcast_of_bitcast,),
        "tensor.concat": (concat_of_one,),
        "tensor.pad": (pad_by_nothing, pad_of_cast),
        "tensor.reshape": (shape_of_elements,),
        "tensor.expand_shape": (shape_of_elements, shape_of_splat, shape_of_shape, split_of_join),
        "tensor.collapse_shape": (shape_of_elements, shape_of_splat, shape_of_shape, join_of_split),
        "tensor.extract_slice": (slice_of_numbers, slice_of_cast),
        "tensor.insert_slice": (insert_of_numbers, insert_over_insert),
    }
)
