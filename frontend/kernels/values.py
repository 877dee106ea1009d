"""Numbers of kernels while they are built: literals that have no type yet, values that have one, and their promotion.

The rules: a literal takes the type of what it meets, and alone is an i64 or an f32. Two types give the wider of their
kind; a float beats integers, and f16 with bf16 gives f32; a signed and an unsigned integer give the signed one if it is
wider, else the signed one of twice the unsigned's bits. bool counts as the least integer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import SSAValue

from hologram.dialects.atlas.types import DTYPES, DType

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
    return BOOL if isinstance(number, bool) else I64 if isinstance(number, int) else F32


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
    if isinstance(number, float) and not dtype.is_float:
        return F32
    if isinstance(number, int) and not isinstance(number, bool) and dtype is BOOL:
        return I64
    return dtype


def promoted(a: DType, b: DType) -> DType | None:
    """The type that two types are brought to; None if no type holds both."""
    if a == b or b is BOOL:
        return a
    if a is BOOL:
        return b
    if a.is_float or b.is_float:
        return _floats(a, b)
    if a.is_unsigned == b.is_unsigned:
        return max(a, b, key=lambda t: t.bits)
    signed, unsigned = (b, a) if a.is_unsigned else (a, b)
    bits = max(signed.bits, 2 * unsigned.bits)
    return DTYPES[f"i{bits}"] if bits <= 64 else None


def _floats(a: DType, b: DType) -> DType:
    if not (a.is_float and b.is_float):
        return a if a.is_float else b
    if a.bits == b.bits:
        return F32
    return max(a, b, key=lambda t: t.bits)


def fits(number: Number, dtype: DType) -> bool:
    """Whether a literal is a number of a type: an integer in its range, anything for floats."""
    if dtype.is_float:
        return True
    return not isinstance(number, float) and dtype.least <= int(number) <= (1 if dtype is BOOL else dtype.greatest)


def widens(source: DType, target: DType) -> bool:
    """Whether a variable of a type may be given a value of another without a cast: nothing is lost but precision."""
    return promoted(source, target) == target
