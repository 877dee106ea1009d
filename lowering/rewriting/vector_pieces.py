"""Vectors in pieces, for instructions that take registers of one size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.dialects.vector import ShuffleOp
from xdsl.ir import Operation, SSAValue

Add = Callable[[Operation], SSAValue]
"""Appends an operation, whose result it gives."""


def lanes(value: SSAValue) -> int:
    """The length of a vector of one dimension."""
    return cast("VectorType[Any]", value.type).get_shape()[0]


def cut(add: Add, value: SSAValue, width: int) -> list[SSAValue]:
    """A vector in pieces of `width` lanes, which must divide its length."""
    count = lanes(value)
    if count == width:
        return [value]
    return [add(_shuffle(value, value, range(start, start + width))) for start in range(0, count, width)]


def joined(add: Add, parts: Sequence[SSAValue]) -> SSAValue:
    """Vectors one after the other, a power of two of them."""
    if len(parts) == 1:
        return parts[0]
    left, right = joined(add, parts[: len(parts) // 2]), joined(add, parts[len(parts) // 2 :])
    return add(_shuffle(left, right, range(lanes(left) + lanes(right))))


def _shuffle(left: SSAValue, right: SSAValue, places: Sequence[int]) -> ShuffleOp:
    type: VectorType[Any] = VectorType(cast("VectorType[Any]", left.type).element_type, (len(places),))
    return ShuffleOp(left, right, DenseArrayBase.from_list(i64, places), result_type=type)
