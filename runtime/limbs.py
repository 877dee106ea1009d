"""Wide integers as kernels have them in memory, 64-bit limbs of which the lowest is first, and as Python's integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hologram.errors import UsageError, did_you_mean
from hologram.errors.arguments import checked
from hologram.runtime.dtypes import LIMBS

Array = NDArray[Any]
SHOWN_BITS = 256
"""Longer integers are told by their size: Python writes none of more than 4300 digits, and nobody reads them."""


@checked
def limbs(values: Sequence[Any] | Any, dtype: str) -> Array:
    """Integers, in lists of any depth or an array, as an array of limbs: of u64, with one axis more than they have.

    `dtype` is the element type, `i128` to `i4096` or `u128` to `u4096`. Raises a UsageError for a value that it does
    not hold.

        hologram.limbs([1, 2**100, -1], "i128").shape  # (3, 2)
    """
    count = _count(dtype)
    bits, signed = 64 * count, dtype[0] == "i"
    # A list of large integers alone becomes an array of objects; small ones may not be cut to 64 bits on the way.
    numbers = np.asarray(values) if hasattr(values, "dtype") else np.array(values, object)
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    words = bytearray()
    for value in numbers.ravel().tolist():
        value = value.item() if isinstance(value, np.integer) else value  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            message = f"{shown(value)} is no {dtype}"
            raise UsageError("limbs-value", message, hint=f"{dtype} holds {range_of(dtype)}")
        words += value.to_bytes(bits // 8, "little", signed=signed)
    return np.frombuffer(words, "<u8").astype(np.uint64).reshape((*numbers.shape, count))


@checked
def integers(array: Array, dtype: str) -> Any:
    """The integers that an array of limbs holds: lists as deep as it has axes before the last, or one integer.

    hologram.integers(kernel(a, b), "u256")
    """
    count = _count(dtype)
    words = np.asarray(array)
    if words.dtype.name not in ("uint64", "int64") or not words.ndim or words.shape[-1] != count:
        message = f"{dtype} has a last axis of {count} limbs of u64, found {words.dtype.name} of shape {words.shape}"
        raise UsageError("limbs-array", message, hint="the lowest limb comes first")
    raw = np.ascontiguousarray(words).astype("<u8" if words.dtype.kind == "u" else "<i8").tobytes()
    size = 8 * count
    values = [int.from_bytes(raw[at : at + size], "little", signed=dtype[0] == "i") for at in range(0, len(raw), size)]
    result: Any = np.empty(len(values), object)
    result[:] = values
    return result.reshape(words.shape[:-1]).tolist()


def shown(value: object) -> str:
    """A number in a message."""
    if isinstance(value, int) and value.bit_length() > SHOWN_BITS:
        return f"{'a negative' if value < 0 else 'an'} integer of {value.bit_length()} bits"
    try:
        text = repr(value)
    except Exception:  # A class of the user.
        text = object.__repr__(value)
    return text if len(text) <= 100 else text[:97] + "..."


def range_of(dtype: str) -> str:
    """The values of an integer type of limbs, in words."""
    bits = 64 * LIMBS[dtype]
    return f"-2^{bits - 1} to 2^{bits - 1} - 1" if dtype[0] == "i" else f"0 to 2^{bits} - 1"


def _count(dtype: str) -> int:
    if dtype not in LIMBS:
        hint = did_you_mean(dtype, LIMBS) or f"types of limbs are {', '.join(LIMBS)}"
        raise UsageError("limbs-type", f"there is no integer type of limbs '{dtype}'", hint=hint)
    return LIMBS[dtype]
