"""Element by element: arithmetic, functions of numbers, comparisons and choices.

Operands broadcast as in numpy. Their types are brought to one (docs/tensor-functions.mdx): a literal takes the type of
what it meets, a float beats integers. Functions of real numbers take integers as f32.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hologram.frontend import promotion
from hologram.frontend.tensors.places import fault
from hologram.frontend.tensors.support import (
    brought,
    converted,
    dtype_name,
    operation,
    tensor,
    together,
    trace,
)
from hologram.frontend.tensors.trace import Traced

LARGEST_POWER = 64


def elementwise(name: str, *values: Any, kind: str = "number") -> Any:
    """An operation of the `hologram` dialect on elements."""
    return apply(name, brought(*values, kind=kind))


def apply(name: str, values: Sequence[Traced]) -> Any:
    """The same on operands of one type."""
    tensors, sizes = together(values)
    dtype = values[-1].dtype
    head = "unsigned" if promotion.is_unsigned(dtype) else ""
    return trace().add(f"hologram.{name}", tensors, dtype, sizes, head=head)


@operation
def add(a: Any, b: Any) -> Any:
    """a + b."""
    return elementwise("add", a, b)


@operation
def sub(a: Any, b: Any) -> Any:
    """a - b."""
    return elementwise("sub", a, b)


@operation
def mul(a: Any, b: Any) -> Any:
    """a b."""
    return elementwise("mul", a, b)


@operation
def div(a: Any, b: Any) -> Any:
    """a / b of floats. Integers have `floor_div`."""
    values = brought(a, b, kind="number")
    if not promotion.is_float(values[0].dtype):
        fault(
            "jit-divide-integers", f"'/' of two integers is no {values[0].dtype}",
            "write // for the quotient rounded down, or convert one of them: hologram.ops.cast(x, 'f32')",
        )  # fmt: skip
    return apply("div", values)


@operation
def floor_div(a: Any, b: Any) -> Any:
    """a / b rounded down, Python's //. An integer divided by 0 traps."""
    x, y = brought(a, b, kind="number")
    if promotion.is_unsigned(x.dtype):
        return apply("div", [x, y])
    if not promotion.is_float(x.dtype):
        # From x less its remainder it would be wrong near the least integer, where that wraps.
        whole = apply("div", [x, y])
        return where(_apart(apply("rem", [x, y]), y), sub(whole, 1), whole)
    whole = apply("div", [sub(x, mod(x, y)), y])
    low = floor(whole)
    return where(greater(sub(whole, low), 0.5), add(low, 1.0), low)


@operation
def mod(a: Any, b: Any) -> Any:
    """The remainder with the sign of the divisor, Python's %. An integer divided by 0 traps."""
    x, y = brought(a, b, kind="number")
    rest = apply("rem", [x, y])
    if promotion.is_unsigned(x.dtype):
        return rest
    found = where(_apart(rest, y), add(rest, y), rest)
    if not promotion.is_float(x.dtype):
        return found
    size = abs(rest)
    return where(equal(rest, 0), where(less(y, 0), neg(size), size), found)


def _apart(rest: Any, y: Any) -> Any:
    """Whether C's remainder is not 0 and has another sign than the divisor: Python's quotient is one less then."""
    return bit_and(not_equal(rest, 0), bit_xor(less(rest, 0), less(y, 0)))


@operation
def rem(a: Any, b: Any) -> Any:
    """The remainder with the sign of the dividend, C's %. An integer divided by 0 traps."""
    return elementwise("rem", a, b)


@operation
def pow(a: Any, b: Any) -> Any:
    """a^b. A whole literal exponent multiplies; another one needs floats."""
    if isinstance(b, int) and not isinstance(b, bool) and 0 <= b <= LARGEST_POWER:
        x = tensor(a)
        if not promotion.is_float(x.dtype) or b <= 3:
            return _product(x, b)
    x, y = brought(a, b, kind="number")
    if not promotion.is_float(x.dtype):
        fault(
            "jit-integer-power", "integers are raised to literal powers from 0 to 64 alone",
            "convert one of them: hologram.ops.cast(x, 'f32')",
        )  # fmt: skip
    return apply("pow", [x, y])


def _product(x: Traced, exponent: int) -> Any:
    """x multiplied with itself, by repeated squaring."""
    found: Any = None
    square: Any = x
    while exponent:
        if exponent & 1:
            found = square if found is None else mul(found, square)
        exponent >>= 1
        square = mul(square, square) if exponent else square
    return add(mul(x, 0), 1) if found is None else found


@operation
def neg(x: Any) -> Any:
    """-x."""
    return elementwise("neg", x)


@operation
def abs(x: Any) -> Any:
    """|x|."""
    return elementwise("abs", x)


@operation
def sign(x: Any) -> Any:
    """-1, 0 or 1; keeps -0 and NaN."""
    return elementwise("sign", x)


@operation
def sqrt(x: Any) -> Any:
    """The square root."""
    return elementwise("sqrt", x, kind="float")


@operation
def rsqrt(x: Any) -> Any:
    """1 / the square root."""
    return elementwise("rsqrt", x, kind="float")


@operation
def reciprocal(x: Any) -> Any:
    """1 / x."""
    return elementwise("reciprocal", x, kind="float")


@operation
def exp(x: Any) -> Any:
    """e^x."""
    return elementwise("exp", x, kind="float")


@operation
def exp2(x: Any) -> Any:
    """2^x."""
    return elementwise("exp2", x, kind="float")


@operation
def expm1(x: Any) -> Any:
    """e^x - 1, accurate near 0."""
    return elementwise("expm1", x, kind="float")


@operation
def log(x: Any) -> Any:
    """The natural logarithm."""
    return elementwise("log", x, kind="float")


@operation
def log2(x: Any) -> Any:
    """The logarithm of base 2."""
    return elementwise("log2", x, kind="float")


@operation
def log10(x: Any) -> Any:
    """The logarithm of base 10."""
    return elementwise("log10", x, kind="float")


@operation
def log1p(x: Any) -> Any:
    """ln(1 + x), accurate near 0."""
    return elementwise("log1p", x, kind="float")


@operation
def sin(x: Any) -> Any:
    """The sine, of radians."""
    return elementwise("sin", x, kind="float")


@operation
def cos(x: Any) -> Any:
    """The cosine, of radians."""
    return elementwise("cos", x, kind="float")


@operation
def tan(x: Any) -> Any:
    """The tangent, of radians."""
    return elementwise("tan", x, kind="float")


@operation
def atan(x: Any) -> Any:
    """The arc tangent."""
    return elementwise("atan", x, kind="float")


@operation
def atan2(y: Any, x: Any) -> Any:
    """The angle of the point (x, y)."""
    return elementwise("atan2", y, x, kind="float")


@operation
def erf(x: Any) -> Any:
    """The error function."""
    return elementwise("erf", x, kind="float")


@operation
def floor(x: Any) -> Any:
    """The greatest integer not above x."""
    return _rounded("floor", x)


@operation
def ceil(x: Any) -> Any:
    """The least integer not below x."""
    return _rounded("ceil", x)


@operation
def round(x: Any) -> Any:
    """The nearest integer, the even one of two."""
    return _rounded("round", x)


@operation
def trunc(x: Any) -> Any:
    """x without its fraction."""
    return _rounded("trunc", x)


def _rounded(name: str, x: Any) -> Any:
    (value,) = brought(x, kind="number")
    return apply(name, [value]) if promotion.is_float(value.dtype) else value


@operation
def minimum(a: Any, b: Any) -> Any:
    """The lesser of two; NaN where one is."""
    return elementwise("min", a, b)


@operation
def maximum(a: Any, b: Any) -> Any:
    """The greater of two; NaN where one is."""
    return elementwise("max", a, b)


@operation
def relu(x: Any) -> Any:
    """x where it is not below 0, else 0; -0 and NaN stay."""
    return elementwise("relu", x, kind="float")


@operation
def clamp(x: Any, low: Any, high: Any) -> Any:
    """min(max(x, low), high)."""
    return elementwise("clamp", x, low, high)


@operation
def lerp(a: Any, b: Any, t: Any) -> Any:
    """From a, at t = 0, to b, at t = 1."""
    return elementwise("lerp", a, b, t, kind="float")


@operation
def fma(a: Any, b: Any, c: Any) -> Any:
    """a b + c, rounded once."""
    return elementwise("fma", a, b, c, kind="float")


# Bits and truth values


@operation
def bit_and(a: Any, b: Any) -> Any:
    """a & b of integers or truth values."""
    return elementwise("and", a, b, kind="bits")


@operation
def bit_or(a: Any, b: Any) -> Any:
    """a | b of integers or truth values."""
    return elementwise("or", a, b, kind="bits")


@operation
def bit_xor(a: Any, b: Any) -> Any:
    """a ^ b of integers or truth values."""
    return elementwise("xor", a, b, kind="bits")


@operation
def invert(x: Any) -> Any:
    """~x: of a truth value whether it does not hold."""
    return elementwise("not", x, kind="bits")


@operation
def shift_left(a: Any, b: Any) -> Any:
    """a << b, b modulo the width of a."""
    return _shift("shl", a, b)


@operation
def shift_right(a: Any, b: Any) -> Any:
    """a >> b, b modulo the width of a; copies of the sign come in where a is signed."""
    return _shift("shr", a, b)


def _shift(name: str, a: Any, b: Any) -> Any:
    (x,), (amount,) = brought(a, kind="integer"), brought(b, kind="integer")
    tensors, sizes = together([x, converted(amount, x.dtype)])
    head = "unsigned" if promotion.is_unsigned(x.dtype) else ""
    return trace().add(f"hologram.{name}", tensors, x.dtype, sizes, head=head)


def compare(condition: str, a: Any, b: Any) -> Any:
    """Whether elements compare so."""
    values = brought(a, b)
    tensors, sizes = together(values)
    unsigned = promotion.is_unsigned(values[0].dtype) or values[0].dtype == "bool"
    head = condition + " unsigned" * (unsigned and values[0].dtype != "bool")
    return trace().add("hologram.compare", tensors, "bool", sizes, head=head)


@operation
def equal(a: Any, b: Any) -> Any:
    """a == b."""
    return compare("eq", a, b)


@operation
def not_equal(a: Any, b: Any) -> Any:
    """a != b, which NaN is of everything."""
    return compare("ne", a, b)


@operation
def less(a: Any, b: Any) -> Any:
    """a < b."""
    return compare("lt", a, b)


@operation
def less_equal(a: Any, b: Any) -> Any:
    """a <= b."""
    return compare("le", a, b)


@operation
def greater(a: Any, b: Any) -> Any:
    """a > b."""
    return compare("gt", a, b)


@operation
def greater_equal(a: Any, b: Any) -> Any:
    """a >= b."""
    return compare("ge", a, b)


@operation
def isnan(x: Any) -> Any:
    """Whether x is NaN."""
    value = tensor(x)
    return not_equal(value, value)


@operation
def isfinite(x: Any) -> Any:
    """Whether x is a number, and no infinity."""
    value = tensor(x)
    return equal(sub(value, value), 0)


@operation
def isinf(x: Any) -> Any:
    """Whether x is an infinity."""
    value = tensor(x)
    return equal(abs(value), float("inf")) if promotion.is_float(value.dtype) else not_equal(value, value)


@operation
def where(condition: Any, a: Any, b: Any) -> Any:
    """a where the condition holds, else b."""
    p = converted(tensor(condition), "bool")
    tensors, sizes = together([p, *brought(a, b)])
    return trace().add("hologram.select", tensors, tensors[1].dtype, sizes)


@operation
def cast(x: Any, dtype: Any) -> Any:
    """x in another type, by the rules of `atlas.cvt`: floats become integers towards zero, and saturate."""
    return converted(tensor(x), dtype_name(dtype))


vector_add, vector_sub, vector_mul, vector_div = add, sub, mul, div
min, max = minimum, maximum
OPERATIONS = (
    add, sub, mul, div, floor_div, mod, rem, pow, neg, abs, sign, sqrt, rsqrt, reciprocal, exp, exp2, expm1, log, log2,
    log10, log1p, sin, cos, tan, atan, atan2, erf, floor, ceil, round, trunc, minimum, maximum, relu, clamp, lerp, fma,
    bit_and, bit_or, bit_xor, invert, shift_left, shift_right, equal, not_equal, less, less_equal, greater,
    greater_equal, isnan, isfinite, isinf, where, cast,
)  # fmt: skip
