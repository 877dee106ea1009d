"""Numbers of kernels while they are built: literals that have no type yet, and values that have one.

`hologram.support.promotion` says which type they are brought to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import SSAValue

from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.support import promotion

BOOL, I64, F32 = DTYPES["bool"], DTYPES["i64"], DTYPES["f32"]


@dataclass(frozen=True, slots=True)
class Typed:
    """A value of a type."""

    value: SSAValue
    dtype: DType


Number: TypeAlias = bool | int | float
Operand: TypeAlias = Typed | Number
"""A value, or a literal without a type."""


def alone(number: Number) -> DType:
    """The type of a literal that meets nothing."""
    return DTYPES[promotion.alone(number)]


def common(a: Operand, b: Operand) -> DType | None:
    """The type that two operands are brought to; None if there is none."""
    match a, b:
        case Typed(), Typed():
            return promoted(a.dtype, b.dtype)
        case Typed(), _:
            return with_literal(a.dtype, b)
        case _, Typed():
            return with_literal(b.dtype, a)
        case _:
            return promoted(alone(a), alone(b))


def with_literal(dtype: DType, number: Number) -> DType:
    """The type of a value and a literal: the value's, unless the literal is of a higher kind."""
    return DTYPES[promotion.with_literal(dtype.name, number)]


def promoted(a: DType, b: DType) -> DType | None:
    """The type that two types are brought to; None if no type holds both."""
    name = promotion.promoted(a.name, b.name)
    return None if name is None else DTYPES[name]


def fits(number: Number, dtype: DType) -> bool:
    """Return whether a literal is a number of a type: an integer in its range, anything for floats."""
    return promotion.fits(number, dtype.name)


def widens(source: DType, target: DType) -> bool:
    """Return whether a variable of a type may be given a value of another without a cast: nothing is lost but
    precision."""
    return promoted(source, target) == target


def call_it(value: SSAValue, name: str) -> None:
    """Names a value in the text of the IR, where the name is one there: Python has more letters."""
    if SSAValue.is_valid_name(name):
        value.name_hint = name
