"""Division and powers of kernels, with Python's meaning."""

from __future__ import annotations

from hologram.dialects.atlas.instructions.composites import COMPOSITES
from hologram.dialects.atlas.instructions.scalar import MovImmOp
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.frontend.kernels import model
from hologram.frontend.kernels.building import Builder, composed
from hologram.frontend.kernels.values import BOOL, F32, I64, Operand, Typed, common

_LARGEST = 64
U32 = DTYPES["u32"]


def divide(on: Builder, op: str, x: Typed, y: Typed, at: model.At | None) -> Typed:
    """`/`, `//` and `%` of two values of one type."""
    if op == "/":
        if not x.dtype.is_float:
            on.fault(
                "kernel-divide-integers", at, f"'/' of two integers is no {x.dtype.name}",
                "write // for the quotient rounded down, or f32(...) around one of them",
            )  # fmt: skip
        return on.instruction("div", x.dtype, [x, y], at)
    if not x.dtype.is_float and (size := _power_of_two(y)) is not None:
        return _by_bits(on, op, x, size, at)
    return composed(on, COMPOSITES["floor_div" if op == "//" else "mod"], x.dtype, [x, y], at)


def _power_of_two(y: Typed) -> int | None:
    """A literal that is one."""
    owner = y.value.owner
    number = owner.value.value.data if isinstance(owner, MovImmOp) else None
    return number if isinstance(number, int) and number > 0 and number & (number - 1) == 0 else None


def _by_bits(on: Builder, op: str, x: Typed, size: int, at: model.At | None) -> Typed:
    """Rounding down, as Python does, is what shifts and masks give."""
    if op == "%":
        return on.instruction("and", x.dtype, [x, on.cast(size - 1, x.dtype, at)], at)
    return on.instruction("shr", x.dtype, [x, on.cast(size.bit_length() - 1, U32, at)], at)


def power(on: Builder, a: Operand, b: Operand, at: model.At | None) -> Typed:
    """`**`: a whole literal exponent multiplies, another one needs floats."""
    if isinstance(a, Typed) and a.dtype is BOOL:
        a = on.cast(a, I64, at)
    if isinstance(b, int) and not isinstance(b, bool) and isinstance(a, Typed) and 0 <= b <= _LARGEST:
        if not a.dtype.is_float or b <= 3:
            return _product(on, a, b, at)
    dtype = common(a, b)
    if dtype is None or not dtype.is_float:
        both_literal = not isinstance(a, Typed)
        on.fault(
            "kernel-integer-power", at, "integers are raised to literal powers from 0 to 64 alone",
            "write f32(...) around one of them" if not both_literal else None,
        )  # fmt: skip
    return _float_power(on, a, b, dtype or F32, at)


def _float_power(on: Builder, a: Operand, b: Operand, dtype: DType, at: model.At | None) -> Typed:
    return on.instruction("pow", dtype, [on.cast(a, dtype, at), on.cast(b, dtype, at)], at)


def _product(on: Builder, a: Typed, exponent: int, at: model.At | None) -> Typed:
    """a multiplied with itself, by repeated squaring."""
    found: Typed | None = None
    square = a
    while exponent:
        if exponent & 1:
            found = square if found is None else on.instruction("mul", a.dtype, [found, square], at)
        exponent >>= 1
        if exponent:
            square = on.instruction("mul", a.dtype, [square, square], at)
    return on.cast(1, a.dtype, at) if found is None else found
