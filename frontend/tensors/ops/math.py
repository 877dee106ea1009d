"""Element by element: arithmetic, functions of numbers, comparisons and choices.

Operands broadcast as in numpy. Their types are brought to one (docs/tensor-functions.mdx): a literal takes the type of
what it meets, a float beats integers. Functions of real numbers take integers as f32.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

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
F = TypeVar("F", bound=Callable[..., Any])


def elementwise(name: str, *values: Any, kind: str = "number") -> Any:
    """An operation of the `hologram` dialect on elements."""
    return apply(name, brought(*values, kind=kind))


def apply(name: str, values: Sequence[Traced]) -> Any:
    """The same on operands of one type."""
    tensors, sizes = together(values)
    dtype = values[-1].dtype
    head = "unsigned" if promotion.is_unsigned(dtype) else ""
    return trace().add(f"hologram.{name}", tensors, dtype, sizes, head=head)


class OfOne(Protocol):
    """An operation on x."""

    __name__: str

    def __call__(self, x: Any) -> Any: ...


class OfTwo(Protocol):
    """An operation on a and b."""

    __name__: str

    def __call__(self, a: Any, b: Any) -> Any: ...


def one(name: str, meaning: str, instruction: str, kind: str) -> OfOne:
    """The operation that applies an instruction to what `brought` makes of x."""

    def of_one(x: Any) -> Any:
        return elementwise(instruction, x, kind=kind)

    return operation(_named(of_one, name, meaning))


def two(name: str, meaning: str, instruction: str, kind: str) -> OfTwo:
    """The same of a and b."""

    def of_two(a: Any, b: Any) -> Any:
        return elementwise(instruction, a, b, kind=kind)

    return operation(_named(of_two, name, meaning))


def rounding(name: str, meaning: str) -> OfOne:
    """A way to round, which leaves integers as they are."""

    def rounded(x: Any) -> Any:
        (value,) = brought(x, kind="number")
        return apply(name, [value]) if promotion.is_float(value.dtype) else value

    return operation(_named(rounded, name, meaning))


def comparison(name: str, meaning: str, condition: str) -> OfTwo:
    """Whether elements compare so."""

    def compared(a: Any, b: Any) -> Any:
        values = brought(a, b)
        tensors, sizes = together(values)
        head = condition + " unsigned" * promotion.is_unsigned(values[0].dtype)
        return trace().add("hologram.compare", tensors, "bool", sizes, head=head)

    return operation(_named(compared, name, meaning))


def _named(function: F, name: str, meaning: str) -> F:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = meaning
    return function


# Rows: the name, the meaning, the instruction and what its operands are brought to

add = two("add", "a + b.", "add", "number")
sub = two("sub", "a - b.", "sub", "number")
mul = two("mul", "a b.", "mul", "number")
rem = two("rem", "The remainder with the sign of the dividend, C's %. An integer divided by 0 traps.", "rem", "number")
minimum = two("minimum", "The lesser of two; NaN where one is.", "min", "number")
maximum = two("maximum", "The greater of two; NaN where one is.", "max", "number")
neg = one("neg", "-x.", "neg", "number")
abs = one("abs", "|x|.", "abs", "number")
sign = one("sign", "-1, 0 or 1; keeps -0 and NaN.", "sign", "number")

sqrt = one("sqrt", "The square root.", "sqrt", "float")
rsqrt = one("rsqrt", "1 / the square root.", "rsqrt", "float")
reciprocal = one("reciprocal", "1 / x.", "reciprocal", "float")
exp = one("exp", "e^x.", "exp", "float")
exp2 = one("exp2", "2^x.", "exp2", "float")
expm1 = one("expm1", "e^x - 1, accurate near 0.", "expm1", "float")
log = one("log", "The natural logarithm.", "log", "float")
log2 = one("log2", "The logarithm of base 2.", "log2", "float")
log10 = one("log10", "The logarithm of base 10.", "log10", "float")
log1p = one("log1p", "ln(1 + x), accurate near 0.", "log1p", "float")
sin = one("sin", "The sine, of radians.", "sin", "float")
cos = one("cos", "The cosine, of radians.", "cos", "float")
tan = one("tan", "The tangent, of radians.", "tan", "float")
atan = one("atan", "The arc tangent.", "atan", "float")
erf = one("erf", "The error function.", "erf", "float")
relu = one("relu", "x where it is not below 0, else 0; -0 and NaN stay.", "relu", "float")

floor = rounding("floor", "The greatest integer not above x.")
ceil = rounding("ceil", "The least integer not below x.")
round = rounding("round", "The nearest integer, the even one of two.")
trunc = rounding("trunc", "x without its fraction.")

bit_and = two("bit_and", "a & b of integers or truth values.", "and", "bits")
bit_or = two("bit_or", "a | b of integers or truth values.", "or", "bits")
bit_xor = two("bit_xor", "a ^ b of integers or truth values.", "xor", "bits")
invert = one("invert", "~x: of a truth value whether it does not hold.", "not", "bits")

equal = comparison("equal", "a == b.", "eq")
not_equal = comparison("not_equal", "a != b, which NaN is of everything.", "ne")
less = comparison("less", "a < b.", "lt")
less_equal = comparison("less_equal", "a <= b.", "le")
greater = comparison("greater", "a > b.", "gt")
greater_equal = comparison("greater_equal", "a >= b.", "ge")


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
    rest = apply("rem", [x, y])
    exact = apply("div", [sub(x, rest), y])
    whole = where(_apart(rest, y), sub(exact, 1.0), exact)
    low = floor(whole)
    found = where(greater(sub(whole, low), 0.5), add(low, 1.0), low)
    # A zero has the sign of the quotient, which lies between -1 and 1 then.
    return where(equal(whole, 0), mul(apply("div", [x, y]), 0.0), found)


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
def atan2(y: Any, x: Any) -> Any:
    """The angle of the point (x, y)."""
    return elementwise("atan2", y, x, kind="float")


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
