"""Division and powers of kernels, with Python's meaning."""

from __future__ import annotations

from hologram.dialects.atlas.scalar import MovImmOp, SetccOp
from hologram.dialects.atlas.types import DTYPES, DType
from hologram.frontend.kernels import model
from hologram.frontend.kernels.building import Builder
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
    if x.dtype.is_unsigned:
        return on.instruction("div" if op == "//" else "rem", x.dtype, [x, y], at)
    rest = on.instruction("rem", x.dtype, [x, y], at)
    apart = _apart(on, rest, y, at)
    if op == "//" and not x.dtype.is_float:
        whole = on.instruction("div", x.dtype, [x, y], at)
        return _select(on, apart, on.instruction("sub", x.dtype, [whole, on.cast(1, x.dtype, at)], at), whole, at)
    if op == "%":
        return _floor_remainder(on, rest, apart, y, at)
    return _floor_quotient(on, x, y, rest, apart, at)


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


def _apart(on: Builder, rest: Typed, y: Typed, at: model.At | None) -> Typed:
    """Whether C's remainder is not 0 and has another sign than the divisor: Python's quotient is one less then."""
    zero = on.cast(0, rest.dtype, at)
    some = _test(on, "ne", rest, zero, at)
    signs = on.instruction("xor", BOOL, [_test(on, "lt", rest, zero, at), _test(on, "lt", y, zero, at)], at)
    return on.instruction("and", BOOL, [some, signs], at)


def _floor_remainder(on: Builder, rest: Typed, apart: Typed, y: Typed, at: model.At | None) -> Typed:
    """The remainder with the sign of the divisor; a float's zero has it too."""
    t = rest.dtype
    zero = on.cast(0, t, at)
    found = _select(on, apart, on.instruction("add", t, [rest, y], at), rest, at)
    if not t.is_float:
        return found
    size = on.instruction("abs", t, [rest], at)
    signed = _select(on, _is_negative(on, y, at), on.instruction("neg", t, [size], at), size, at)
    return _select(on, _test(on, "eq", rest, zero, at), signed, found, at)


def _is_negative(on: Builder, y: Typed, at: model.At | None) -> Typed:
    return _test(on, "lt", y, on.cast(0, y.dtype, at), at)


def _floor_quotient(on: Builder, x: Typed, y: Typed, rest: Typed, apart: Typed, at: model.At | None) -> Typed:
    """What is left without the rest, divided, rounded to the next whole number, as CPython's float_floor_div."""
    t = x.dtype
    zero, one = on.cast(0, t, at), on.cast(1, t, at)
    exact = on.instruction("div", t, [on.instruction("sub", t, [x, rest], at), y], at)
    whole = _select(on, apart, on.instruction("sub", t, [exact, one], at), exact, at)
    low = on.instruction("floor", t, [whole], at)
    over = _test(on, "gt", on.instruction("sub", t, [whole, low], at), on.cast(0.5, t, at), at)
    found = _select(on, over, on.instruction("add", t, [low, one], at), low, at)
    # A zero has the sign of the quotient, which lies between -1 and 1 then.
    signed = on.instruction("mul", t, [on.instruction("div", t, [x, y], at), zero], at)
    return _select(on, _test(on, "eq", whole, zero, at), signed, found, at)


def _test(on: Builder, condition: str, a: Typed, b: Typed, at: model.At | None) -> Typed:
    return Typed(on.emit(SetccOp(condition, a.dtype, a.value, b.value), at), BOOL)


def _select(on: Builder, p: Typed, a: Typed, b: Typed, at: model.At | None) -> Typed:
    return on.instruction("sel", a.dtype, [p, a, b], at)


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
