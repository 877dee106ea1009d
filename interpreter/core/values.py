"""Values of the interpreter: numpy arrays in storage form for scalars and lanes, buffers for tensors and memrefs.

In storage form signless integers are held signed, `i1` as bool, `index` as int64, and integers beyond 64 bits as Python
integers; what a caller gives and gets holds the latter as a last axis of 64-bit limbs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    MemRefType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation

from hologram.dialects.atlas.instructions.storage import storage, view, wrap
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.atlas.instructions.upstream import element_type as element_type
from hologram.dialects.atlas.instructions.upstream import isa_type as isa_type
from hologram.errors import InputError, where_of

Array: TypeAlias = NDArray[Any]


@dataclass
class Buffer:
    """A tensor or the memory behind a memref. A memref that was given by a caller shares the caller's memory."""

    data: Array
    """The elements in storage form."""
    defined: Array | None = None
    """Which elements were written; None where all were."""
    partly: Array | None = None
    """Which bytes were written through pointers, beside the elements that were written as a whole."""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    def viewed(self, view: Callable[[Array], Array]) -> Buffer:
        """The same memory, seen by a function of arrays."""
        return Buffer(view(self.data), None if self.defined is None else view(self.defined))

    @staticmethod
    def empty(shape: Sequence[int], type: Attribute) -> Buffer:
        """Uninitialised memory for elements of `type`."""
        zero: Any = 0
        data: Array = np.full(tuple(shape), zero, storage_dtype(type))
        return Buffer(data, np.zeros(data.shape, np.bool_))


Value: TypeAlias = Array | Buffer


def first_of(mask: Array) -> int | None:
    """The position of the first lane of a mask; None if there is none."""
    return int(np.argmax(mask)) if mask.any() else None


def check_writeable(op: Operation, buffer: Buffer) -> None:
    """Refuses stores to an array that the caller does not want changed."""
    if not buffer.data.flags.writeable:
        raise InputError(
            "interpreter-read-only", f"'{op.name}' writes to an array that is read-only", where=where_of(op)
        )


def is_shaped(type: Attribute) -> bool:
    """Return whether values of the type are buffers."""
    return isinstance(type, TensorType | MemRefType)


def is_memref(type: Attribute) -> bool:
    return isinstance(type, MemRefType)


def static_shape(type: Attribute) -> tuple[int, ...]:
    """The shape of a shaped type, with DYNAMIC_INDEX where not known."""
    return tuple(type.get_shape()) if isinstance(type, TensorType | MemRefType | VectorType) else ()


def storage_dtype(type: Attribute) -> Any:
    """The numpy dtype that holds elements of `type` in storage form."""
    return isa_type(type).numpy


def dense(attr: DenseIntOrFPElementsAttr[Any]) -> Array:
    """The elements of a dense attribute in storage form."""
    elements, shape = scalars(list(attr.get_values()), isa_type(attr.type)), static_shape(attr.type)
    return np.full(shape, elements[0], elements.dtype) if len(elements) == 1 else elements.reshape(shape)


def scalars(values: Sequence[Any], dtype: DType) -> Array:
    """Python numbers in storage form; integers count modulo their width."""
    if not dtype.is_integer:
        with np.errstate(all="ignore"):
            return np.array(values, np.bool_ if dtype.kind == "bool" else np.float64).astype(dtype.numpy)
    return storage(wrap(dtype, np.array([int(v) for v in values], object)), dtype)


# The border to the caller


def from_caller(given: Any, type: Attribute, what: str) -> Value:
    """An argument in storage form: a buffer that shares a given array's memory, or a scalar."""
    if not is_shaped(type):
        return _scalar(given, isa_type(type), what)
    dtype = isa_type(type)
    array = np.asarray(given)
    if dtype.bits > 64:
        array = _from_limbs(array, dtype, what)
    elif not _holds(array.dtype, dtype):
        raise InputError(
            "interpreter-argument-dtype", f"{what} must hold {dtype.name}, found an array of {array.dtype}"
        )
    shape = static_shape(type)
    if len(shape) != array.ndim or any(a != DYNAMIC_INDEX and a != b for a, b in zip(shape, array.shape, strict=True)):
        expected = ", ".join("?" if n == DYNAMIC_INDEX else str(n) for n in shape)
        raise InputError("interpreter-argument-shape", f"{what} must have shape ({expected}), found {array.shape}")
    return Buffer(array if array.dtype == dtype.numpy else array.view(dtype.numpy))


def _holds(given: np.dtype[Any], dtype: DType) -> bool:
    """Return whether arrays of a numpy dtype are taken for an ISA type: the type itself or its unsigned reading."""
    if given == dtype.numpy:
        return True
    return dtype.is_integer and given == DTYPES[f"u{dtype.bits}"].numpy


def _scalar(given: Any, dtype: DType, what: str) -> Array:
    value = cast(Any, given.item()) if isinstance(given, np.generic | np.ndarray) else given
    if not (_is_real(value) if dtype.is_float else _is_integer(value, dtype.bits)):
        message = f"{what} must be a number of type {dtype.name}, found {given!r}"
        raise InputError("interpreter-argument-scalar", message)
    return scalars([value], dtype).reshape(())


def _is_real(value: Any) -> bool:
    return isinstance(value, bool | int | float)


def _is_integer(value: Any, bits: int) -> bool:
    return isinstance(value, bool | int) and -(1 << (bits - 1)) <= value < 1 << bits


def _from_limbs(array: Array, dtype: DType, what: str) -> Array:
    limbs = dtype.bits // 64
    if array.dtype.name not in ("uint64", "int64") or array.ndim == 0 or array.shape[-1] != limbs:
        raise InputError(
            "interpreter-argument-limbs",
            f"{what} must hold {dtype.name} as a last axis of {limbs} limbs of 64 bits, "
            f"found {array.dtype} of shape {array.shape}",
        )
    words = array.view(np.uint64).astype(object)
    weights = np.array([1 << (64 * k) for k in range(limbs)], object)
    return view((words * weights).sum(axis=-1) if array.size else np.zeros(array.shape[:-1], object), dtype)


def _to_limbs(data: Array, dtype: DType) -> Array:
    unsigned = view(data, DTYPES[f"u{dtype.bits}"])
    limbs = [(unsigned >> (64 * k)) & ((1 << 64) - 1) for k in range(dtype.bits // 64)]
    return np.stack([np.asarray(limb, object).astype(np.uint64) for limb in limbs], axis=-1)


def to_caller(value: Value, type: Attribute, *, unsigned: bool = False) -> Array:
    """A result as a new array of the caller's: integers signed unless `unsigned`, elements of a ring packed."""
    data = value.data if isinstance(value, Buffer) else value
    dtype = isa_type(type, unsigned=unsigned or hasattr(element_type(type), "storage"))
    if dtype.bits > 64:
        return _to_limbs(data, dtype)
    return np.array(np.broadcast_to(view(data, dtype), data.shape))


def write_back(value: Value, given: Any, type: Attribute) -> None:
    """Stores a memref of wide integers to the caller's limbs, which it can't share."""
    if isinstance(value, Buffer) and is_memref(type) and isa_type(type).bits > 64:
        np.asarray(given)[...] = _to_limbs(value.data, isa_type(type)).view(np.asarray(given).dtype)


def check_shape(op: Operation, type: Attribute, shape: tuple[int, ...]) -> None:
    """Refuses a result whose sizes differ from the static ones of its type."""
    static = static_shape(type)
    if len(static) != len(shape) or any(a not in (DYNAMIC_INDEX, b) for a, b in zip(static, shape, strict=True)):
        raise InputError(
            "interpreter-result-shape",
            f"'{op.name}' makes a value of shape {shape} where the type is {type}",
            where=where_of(op),
        )
