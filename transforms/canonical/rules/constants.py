"""Constants of scalars, vectors and tensors as numbers, and numbers as constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias, cast, overload

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, SSAValue

from hologram.dialects.arith import scalar_of, shape_of

_MOST = 1 << 16
"""More elements than these are not folded one by one."""


def width_of(type: Attribute) -> int | None:
    """The bits of an integer or index type."""
    if isinstance(type, IndexType):
        return 64
    return type.bitwidth if isinstance(type, IntegerType) else None


def signed(value: int, width: int) -> int:
    """The number that the lowest bits of a value are in two's complement; of one bit, 0 or 1 as `i1` has it."""
    value &= (1 << width) - 1
    return value - (1 << width) if width > 1 and value >> (width - 1) else value


def integer(value: int, type: Attribute) -> IntegerAttr | None:
    """An integer constant of `type`, wrapped to its width."""
    width = width_of(type)
    return None if width is None else IntegerAttr(signed(value, width), cast(Any, type))


@dataclass(frozen=True)
class Constant:
    """The elements of a constant in row-major order, or the one that all of them are."""

    values: Sequence[int | float]
    type: Attribute
    """The type of the constant: of a scalar, vector or tensor."""

    @property
    def width(self) -> int:
        """The bits of an element, which is an integer."""
        return width_of(scalar_of(self.type)) or 0

    @property
    def only(self) -> int | float | None:
        """The value that all elements are; None where they differ."""
        return self.values[0] if len(self.values) == 1 else None

    def numbers(self, *, unsigned: bool = False) -> Sequence[int]:
        """The elements as integers, signed unless `unsigned`."""
        mask = (1 << self.width) - 1
        values = cast("Sequence[int]", self.values)
        return [v & mask for v in values] if unsigned else [signed(v, self.width) for v in values]


def read(value: SSAValue) -> Constant | None:
    """The constant that a value is known to be."""
    owner = value.owner
    return constant(owner.value) if isinstance(owner, arith.ConstantOp) else None


def constant(attribute: Attribute) -> Constant | None:
    """The numbers of an attribute; None of what is none, and of more elements than are folded one by one."""
    match attribute:
        case IntegerAttr():
            return Constant((attribute.value.data,), cast("Attribute", attribute.type))
        case FloatAttr():
            return Constant((attribute.value.data,), cast("Attribute", attribute.type))
        case DenseIntOrFPElementsAttr():
            dense = cast("DenseIntOrFPElementsAttr[Any]", attribute)
            if not isinstance(scalar_of(dense.type), IntegerType | IndexType | AnyFloat):
                return None
            if dense.is_splat() and len(dense):
                return Constant((cast("Any", next(iter(dense.iter_values()))),), dense.type)
            return Constant(tuple(dense.get_values()), dense.type) if len(dense) <= _MOST else None
        case _:
            return None


def written(values: Sequence[int | float], type: Attribute) -> Attribute | None:
    """The attribute of a type with these elements, or with one that all are; integers are wrapped to their width."""
    element, shape = scalar_of(type), shape_of(type)
    if shape is not None and DYNAMIC_INDEX in shape:
        return None
    width = width_of(element)
    if width is not None:
        values = [signed(cast("int", v), width) for v in values]
    elif not isinstance(element, AnyFloat):
        return None
    if shape is None:
        number, kind = cast("tuple[Any, Any]", (values[0], element))
        return FloatAttr(number, kind) if width is None else IntegerAttr(number, kind)
    if len(values) > 1 and all(v == values[0] and str(v) == str(values[0]) for v in values):
        values = values[:1]
    dense = cast("TensorType[Any] | VectorType[Any]", type)
    if len(values) != prod(shape):
        assert len(values) == 1
    return DenseIntOrFPElementsAttr.from_list(dense, cast(Any, [*values]))


Element: TypeAlias = "int | float | None"
Elements: TypeAlias = Sequence[Any]


@overload
def elementwise(compute: Callable[[Any], Element], type: Attribute, a: Elements, /) -> Attribute | None: ...
@overload
def elementwise(
    compute: Callable[[Any, Any], Element], type: Attribute, a: Elements, b: Elements, /
) -> Attribute | None: ...
@overload
def elementwise(
    compute: Callable[[Any, Any, Any], Element], type: Attribute, a: Elements, b: Elements, c: Elements, /
) -> Attribute | None: ...
def elementwise(compute: Callable[..., Element], type: Attribute, *operands: Elements) -> Attribute | None:
    """What a function of the elements gives, as an attribute of `type`; None where it is None for some."""
    count = max(len(o) for o in operands)
    rows = zip(*(o if len(o) == count else [o[0]] * count for o in operands), strict=True)
    values = [compute(*row) for row in rows]
    if None in values:
        return None
    return written(cast("list[int | float]", values), type)
