"""Constants of many elements, and makers of operations: what the rules of vectors and tensors share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, ub
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    BoolAttr,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from hologram.dialects.custom.rows import operation

Dense: TypeAlias = DenseIntOrFPElementsAttr[Any]
Shaped: TypeAlias = Any
"""A vector or a tensor with a static shape."""


def maker(value: SSAValue, *names: str) -> Any:
    """The operation of one of `names` that gives a value; None where another does."""
    return value.op if isinstance(value, OpResult) and value.op.name in names else None


def is_poison(value: SSAValue) -> bool:
    """Return whether a value is poison as a whole."""
    op = maker(value, "ub.poison")
    return op is not None and isinstance(op.value, ub.PoisonAttr)


def create(
    name: str,
    operands: Sequence[SSAValue],
    types: Sequence[Attribute],
    properties: Mapping[str, Attribute] | None = None,
) -> Operation:
    """Make an operation of a dialect that has rows."""
    return operation(name).create(operands=operands, result_types=types, properties=dict(properties or {}))


def replace_by(
    op: Operation,
    rewriter: PatternRewriter,
    name: str,
    operands: Sequence[SSAValue],
    properties: Mapping[str, Attribute] | None = None,
) -> None:
    """Replace an operation by another with the same results."""
    rewriter.replace(op, create(name, operands, [r.type for r in op.results], properties))


def change_operand(op: Operation, rewriter: PatternRewriter, place: int, value: SSAValue) -> None:
    """Give an operation another operand."""
    op.operands[place] = value
    rewriter.notify_op_modified(op)


def constant(value: Attribute, type: Attribute) -> arith.ConstantOp:
    """The constant with a value of a type."""
    return arith.ConstantOp.create(result_types=[type], properties={"value": value})


# Elements, as bytes


def dense_of(value: SSAValue) -> Dense | None:
    """The elements of a constant vector or tensor."""
    op = maker(value, "arith.constant")
    held: Any = None if op is None else op.value
    return cast(Dense, held) if isinstance(held, DenseIntOrFPElementsAttr) else None


def cells(dense: Dense) -> list[bytes]:
    """The bytes of each element."""
    data, size = dense.data.data, dense.type.element_type.compile_time_size
    return [data[n : n + size] for n in range(0, len(data), size)]


def from_cells(type: Shaped, parts: Sequence[bytes]) -> Dense:
    """A constant of a type with these elements."""
    return DenseIntOrFPElementsAttr(type, BytesAttr(b"".join(parts)))


def splat_cell(dense: Dense | None) -> bytes | None:
    """The element that a constant repeats."""
    if dense is None:
        return None
    data, size = dense.data.data, dense.type.element_type.compile_time_size
    first = data[:size]
    return first if first and first * (len(data) // size) == data else None


def splat(type: Shaped, cell: bytes) -> Dense:
    """A constant that repeats an element."""
    return from_cells(type, [cell * size_of(type)])


def cell_of(attribute: Attribute | None) -> bytes | None:
    """The bytes of a scalar constant."""
    if not is_scalar(attribute):
        return None
    constant = cast(Any, attribute)
    value, type = constant.value.data, constant.type
    return type.pack([type.get_normalized_value(value) if isinstance(type, IntegerType) else value])


def scalar_constant(value: SSAValue) -> Attribute | None:
    """The attribute of a scalar constant."""
    op = maker(value, "arith.constant")
    held: Any = None if op is None else op.value
    return held if is_scalar(held) else None


def is_scalar(attribute: object) -> bool:
    """Return whether an attribute is a number."""
    return isinstance(attribute, IntegerAttr | FloatAttr)


def scalar(type: Attribute, cell: bytes) -> Attribute | None:
    """The scalar constant that an element is."""
    if isinstance(type, AnyFloat):
        return FloatAttr.unpack(type, cell, 1)[0]
    if not isinstance(type, IntegerType | IndexType):
        return None
    kind = cast(Any, type)
    return IntegerAttr(kind.unpack(cell, 1)[0], kind)


def size_of(type: Shaped) -> int:
    """The number of elements; those of the smallest vector, for a scalable type."""
    size = 1
    for extent in type.get_shape():
        size *= extent
    return size


def is_tensor(type: Attribute) -> bool:
    """Return whether a type is one of tensors whose number of axes is known."""
    return isinstance(type, TensorType)


# Vectors


def is_vector(type: Attribute) -> bool:
    """Return whether a type is one of vectors."""
    return isinstance(type, VectorType)


def shape_of(type: Attribute) -> tuple[int, ...]:
    """The shape of a vector, or of a scalar."""
    return tuple(type.get_shape()) if isinstance(type, VectorType) else ()


def scalable_of(type: Attribute) -> tuple[bool, ...]:
    """Which axes of a vector are scalable."""
    return tuple(bool(s.value.data) for s in type.scalable_dims) if isinstance(type, VectorType) else ()


def axes_of(type: Attribute) -> list[tuple[int, bool]]:
    """The size of each axis of a vector, and whether it is scalable."""
    return list(zip(shape_of(type), scalable_of(type), strict=True))


def vector_of(element: Attribute, axes: Sequence[tuple[int, bool]]) -> VectorType[Any]:
    """The vector type with these axes."""
    scalable = ArrayAttr([BoolAttr.from_bool(s) for _, s in axes])
    return VectorType(element, [n for n, _ in axes], scalable)


def strides_of(shape: Sequence[int]) -> list[int]:
    """The distances of elements along each axis, in row-major order."""
    strides: list[int] = []
    step = 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return strides[::-1]


def can_broadcast(source: Attribute, target: Attribute) -> bool:
    """Return whether `vector.broadcast` may take a value of one type to another."""
    given, wanted = axes_of(source), axes_of(target)
    element = cast(Any, source).element_type if isinstance(source, VectorType) else source
    if element != cast(Any, target).element_type or len(given) > len(wanted):
        return False
    return all(a in (b, (1, False)) for a, b in zip(given, wanted[len(wanted) - len(given) :], strict=True))
