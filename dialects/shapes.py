"""Tensor and memref types as the type checker sees them: one place that knows their element type is an attribute."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import prod
from typing import Any, TypeAlias, TypeGuard

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    MemRefType,
    NoneAttr,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.ir.affine import AffineMap

DYNAMIC = DYNAMIC_INDEX
Dense: TypeAlias = DenseIntOrFPElementsAttr[Any]
"""A constant tensor of numbers."""


MOST_COPIES = 4096
"""Elements of a constant that are all the same and still written out one by one: xDSL would do so with any number."""


def dense(type: Attribute, values: Sequence[Any]) -> Dense:
    """A constant of these elements, or of one that stands everywhere. A large constant holds such a one once."""
    shaped: Any = type
    if len(values) != 1 or not has_many_copies(type):
        return DenseIntOrFPElementsAttr.from_list(shaped, values)
    one: Any = TensorType(shaped.element_type, [1])
    return DenseIntOrFPElementsAttr(shaped, DenseIntOrFPElementsAttr.from_list(one, values).data)


def written_out(constant: Dense) -> Dense:
    """The same constant with every element, for what reads them one by one."""
    if constant.shape_is_complete or len(constant) != 1:
        return constant
    return DenseIntOrFPElementsAttr(constant.type, BytesAttr(constant.data.data * prod(constant.get_shape())))


def has_many_copies(type: Attribute) -> bool:
    """Return whether a constant of this type holds an element that stands everywhere once."""
    return is_tensor(type) and DYNAMIC not in type.get_shape() and prod(type.get_shape()) > MOST_COPIES


def is_tensor(type: Attribute) -> TypeGuard[TensorType[Attribute]]:
    """Return whether a type is a tensor of known rank."""
    return isinstance(type, TensorType)


def is_memref(type: Attribute) -> TypeGuard[MemRefType[Attribute]]:
    """Return whether a type is a memref of known rank."""
    return isinstance(type, MemRefType)


def is_shaped(type: Attribute) -> TypeGuard[TensorType[Attribute] | MemRefType[Attribute]]:
    """Return whether a type is a tensor or a memref."""
    return isinstance(type, MemRefType | TensorType)


def is_dense(attr: Attribute | None) -> TypeGuard[Dense]:
    """Return whether an attribute is a constant tensor of numbers."""
    return isinstance(attr, DenseIntOrFPElementsAttr)


class EndlessType(TypeAttribute):
    """The base of types whose values have an element for each index along one axis without end, and no memory."""

    @property
    @abstractmethod
    def endless_element(self) -> Attribute:
        """The type of the elements."""


def is_endless(type: Attribute) -> TypeGuard[EndlessType]:
    """Return whether values of a type have an element for each index: they tell no size."""
    return isinstance(type, EndlessType)


def element_type(type: Attribute) -> Attribute:
    """The element type of a shaped type; a scalar's own type."""
    if is_endless(type):
        return type.endless_element
    return type.element_type if is_shaped(type) else type


def with_element(type: Attribute, element: Attribute) -> Attribute:
    """The type with other elements: a vector or tensor of the same shape, or else the element itself."""
    if isinstance(type, VectorType):
        return VectorType(element, type.shape, type.scalable_dims)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    return TensorType(element, type.get_shape(), type.encoding) if is_tensor(type) else element


def shape_of(type: Attribute) -> tuple[int, ...]:
    """The shape with DYNAMIC for dynamic sizes, and for an axis without end; `()` for a scalar."""
    if is_endless(type):
        return (DYNAMIC,)
    return type.get_shape() if is_shaped(type) else ()


def show_shape(shape: Sequence[int]) -> str:
    """A shape for a message: `(2, ?)`."""
    return "(" + ", ".join("?" if n == DYNAMIC else str(n) for n in shape) + ")"


def compatible(a: Sequence[int], b: Sequence[int]) -> bool:
    """Return whether two shapes may be equal at run time."""
    return len(a) == len(b) and all(x == y or DYNAMIC in (x, y) for x, y in zip(a, b, strict=True))


def is_dense_layout(memref: MemRefType[Attribute]) -> bool:
    """Return whether a memref has the default layout: row-major, without gaps."""
    layout = memref.layout
    identity = isinstance(layout, AffineMapAttr) and layout.data == AffineMap.identity(memref.get_num_dims())
    return identity or isinstance(layout, NoneAttr)
