"""Reference functions that take more than a line (isa.md section 2): arrays of lanes in, arrays out."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

from hologram.dialects.atlas.instructions.dtypes import DTYPES, LARGEST, Array, DType
from hologram.dialects.atlas.instructions.storage import Trap, storage, view, wrap
from hologram.dialects.lazy import np

if TYPE_CHECKING:
    from fractions import Fraction


def _nonzero(divisor: Array) -> None:
    if (zero := divisor == 0).any():
        raise Trap("integer division by zero", zero)


def divide(t: DType, a: Array, b: Array) -> Array:
    """Truncating integer division; least / -1 wraps. Floats divide as IEEE 754."""
    if t.is_float:
        return a / b
    _nonzero(b)
    rounds_down = (a % b != 0) & ((a < 0) != (b < 0))
    return wrap(t, a // b + rounds_down.astype(t.numpy))


def remainder(t: DType, a: Array, b: Array) -> Array:
    """C's remainder: exact, with the sign of the dividend."""
    if t.is_float:
        return through_f64(np.fmod, t, a, b)
    _nonzero(b)
    rest = a % b
    return wrap(t, np.where((rest != 0) & ((a < 0) != (b < 0)), rest - b, rest))


def fma(t: DType, a: Array, b: Array, c: Array) -> Array:
    """a * b + c rounded once; for integers the wrapped a * b + c."""
    if not t.is_float:
        return wrap(t, a * b + c)
    a, b, c = np.broadcast_arrays(a, b, c)
    if t.bits < 64:
        product, addend = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)  # the product is exact
        return narrow(t, _odd_sum(product, addend))
    from fractions import Fraction

    result = np.where(np.isinf(c) & np.isfinite(a) & np.isfinite(b), c, a * b + c)
    flat = result.reshape(-1)
    for i, (x, y, z) in enumerate(zip(a.ravel().tolist(), b.ravel().tolist(), c.ravel().tolist(), strict=True)):
        if math.isfinite(x) and math.isfinite(y) and math.isfinite(z):
            exact = Fraction(x) * Fraction(y) + Fraction(z)
            if exact:
                flat[i] = round_fraction(exact, t)
    return flat.reshape(result.shape)


def _odd_sum(a: Array, b: Array) -> Array:
    """a + b in float64 rounded to odd, so that a second rounding to a shorter type is the only one that counts."""
    total = a + b
    part = total - a
    error = (a - (total - part)) + (b - part)
    return _step_to_odd(total, (error != 0) & np.isfinite(total), (error > 0) == (total > 0))


def _step_to_odd(values: Array, inexact: Array, outward: Array) -> Array:
    """Steps even values away from zero where `outward`, else toward it, where `inexact`."""
    bits = values.view(np.dtype(f"i{values.dtype.itemsize}"))
    step = np.where(inexact & (bits % 2 == 0), np.where(outward, 1, -1), 0)
    return (bits + step.astype(bits.dtype)).view(values.dtype)


def narrow(t: DType, values: Array) -> Array:
    """float64 values rounded once to nearest even in a float type; what f8E4M3FN has no room for is NaN."""
    if t.name not in ("bf16", "f8E4M3FN", "f8E5M2"):
        return values.astype(t.numpy)
    # These conversions go through float32, which must not round to nearest too.
    near = values.astype(np.float32)
    inexact = np.isfinite(values) & (near != values)
    return _step_to_odd(near, inexact, np.abs(values) > np.abs(near)).astype(t.numpy)


_PRECISION = {
    "f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127), "f64": (53, -1022, 1023),
    "f8E4M3FN": (4, -6, 8), "f8E5M2": (3, -14, 15),
}  # fmt: skip


def round_fraction(value: Fraction | int, t: DType) -> float:
    """A rational rounded once to nearest even in a float type (IEEE 754-2019, 4.3.1), overflow to infinity."""
    from fractions import Fraction

    digits, least, greatest = _PRECISION[t.name]
    if not value:
        return 0.0
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, least) - digits + 1)
    rounded = round(magnitude / unit) * unit
    if t.name == "f8E4M3FN" and rounded > 448:
        return math.nan
    if rounded >= Fraction(2) ** (greatest + 1):
        return math.inf if value > 0 else -math.inf
    return float(rounded) if value > 0 else -float(rounded)


def minimum(t: DType, a: Array, b: Array) -> Array:
    """IEEE 754-2019 minimum: NaN wins, -0 < +0."""
    if not t.is_float:
        return np.minimum(a, b)
    return np.where(np.isnan(a) | np.isnan(b), np.asarray(np.nan, t.numpy), np.where(_below(a, b), a, b))


def maximum(t: DType, a: Array, b: Array) -> Array:
    """IEEE 754-2019 maximum: NaN wins, +0 > -0."""
    if not t.is_float:
        return np.maximum(a, b)
    return np.where(np.isnan(a) | np.isnan(b), np.asarray(np.nan, t.numpy), np.where(_below(a, b), b, a))


def _below(a: Array, b: Array) -> Array:
    return (a < b) | ((a == b) & np.signbit(a))


def minimum_number(t: DType, a: Array, b: Array) -> Array:
    """IEEE 754-2019 minimumNumber: the non-NaN operand, -0 < +0."""
    if not t.is_float:
        return np.minimum(a, b)
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.where(_below(a, b), a, b)))


def maximum_number(t: DType, a: Array, b: Array) -> Array:
    """IEEE 754-2019 maximumNumber: the non-NaN operand, +0 > -0."""
    if not t.is_float:
        return np.maximum(a, b)
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.where(_below(a, b), b, a)))


def relu(t: DType, a: Array) -> Array:
    """+0 where a < 0, else a: NaN and -0 stay."""
    return np.where(a < 0, np.zeros_like(a), a)


def absolute(t: DType, a: Array) -> Array:
    return a if t.is_unsigned else np.abs(a)


def sign(t: DType, a: Array) -> Array:
    """-1, 0, 1; -0 and NaN stay."""
    one = np.ones_like(a)
    return np.where(a > 0, one, np.where(a < 0, wrap(t, -one) if t.is_integer else -one, a))


def shift_left(t: DType, a: Array, amount: Array) -> Array:
    """The amount counts modulo the width."""
    return wrap(t, a << (amount.astype(np.int64) % t.bits).astype(t.numpy))


def shift_right(t: DType, a: Array, amount: Array) -> Array:
    """Arithmetic for signed types, logical for unsigned ones; the amount counts modulo the width."""
    return a >> (amount.astype(np.int64) % t.bits).astype(t.numpy)


def compare(condition: str, t: DType, a: Array, b: Array) -> Array:
    """A condition of isa.md section 2; the `u` forms read integers as unsigned."""
    if condition.endswith("u"):
        unsigned = DTYPES[f"u{t.bits}"]
        a, b, condition = view(a, unsigned), view(b, unsigned), condition[:-1]
    with np.errstate(all="ignore"):
        return np.asarray(getattr(operator, condition)(a, b))


def convert(source: DType, target: DType, a: Array) -> Array:
    """`cvt`: integers truncate or extend by the source's sign; float to int truncates, saturates, NaN gives 0.

    To bool is != 0.
    """
    if target.kind == "bool":
        return a != 0
    if not source.is_float:
        return _from_integer(source, target, a)
    if target.is_float:
        return narrow(target, a) if a.dtype == np.float64 else a.astype(target.numpy)
    whole = np.trunc(np.where(np.isnan(a), np.zeros_like(a), a).astype(np.float64))
    least, end = _as_float(int(target.least)), _as_float(int(target.greatest) + 1)
    inside = np.isfinite(whole) & (whole >= least) & (whole < end)
    small = np.where(inside, whole, 0.0)
    exact = small.astype(target.numpy) if target.bits <= 64 else _python_integers(small)
    edge = np.where(whole < 0, np.array(target.least, target.numpy), np.array(target.greatest, target.numpy))
    return np.where(inside, exact, edge)


def converted(source: DType, target: DType, lanes: Array) -> Array:
    """`cvt` over lanes in storage form."""
    with np.errstate(all="ignore"):
        return storage(np.asarray(convert(source, target, view(lanes, source))), target)


def shift_amount(amount: Array, dtype: DType) -> Array:
    """A shift amount in the type of the shifted value as the u32 that the instruction takes; only its rest modulo the
    width counts."""
    unsigned, u32 = DTYPES[f"u{dtype.bits}"], DTYPES["u32"]
    return storage(wrap(u32, view(amount, unsigned) % unsigned.numpy.type(dtype.bits)), u32)


def convert_finite(source: DType, target: DType, a: Array) -> Array:
    """`cvt.satfinite`: as `cvt` to a float type, past its greatest finite number that number."""
    limit = LARGEST[target.name]
    if source.is_float:
        return narrow(target, np.clip(a.astype(np.float64), -limit, limit))
    if source.kind != "bool" and int(source.greatest) > limit:
        most = int(limit)
        clipped = [min(max(int(v), -most), most) for v in np.ravel(a)]
        a = np.array(clipped, source.numpy).reshape(np.shape(a))
    return convert(source, target, a)


def _as_float(value: int) -> float:
    """The float64 nearest to an integer, infinity beyond its range."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _python_integers(values: Array) -> Array:
    return np.array([int(v) for v in np.ravel(values).tolist()], object).reshape(np.shape(values))


def _from_integer(source: DType, target: DType, a: Array) -> Array:
    if not target.is_float:
        return wrap(target, a)
    if source.bits <= 32:
        return narrow(target, a.astype(np.float64))
    if source.bits == 64 and target.bits >= 32:
        return a.astype(target.numpy)
    exact = [round_fraction(int(v), target) for v in np.ravel(a)]
    return np.array(exact, np.float64).reshape(np.shape(a)).astype(target.numpy)


def through_f64(function: Any, t: DType, *args: Array) -> Array:
    """A real function evaluated in float64 and rounded to the type."""
    return narrow(t, np.asarray(function(*(a.astype(np.float64) for a in args))))


def erf(t: DType, a: Array) -> Array:
    return narrow(t, np.array([math.erf(v) for v in np.ravel(a).tolist()], np.float64).reshape(np.shape(a)))


def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)) without overflow."""
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + e), e / (1 + e))


def _product(a: Array, b: Array | float) -> tuple[Array, Array]:
    """a * b and what rounding it lost (T. J. Dekker, Numer. Math. 18, 1971); for numbers of moderate size."""
    high = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(np.asarray(b))
    return high, a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low)


def _halves(a: Array) -> tuple[Array, Array]:
    scaled = a * (2.0**27 + 1)
    high = scaled - (scaled - a)
    return high, a - high


_HALF_ROOT = (float.fromhex("0x1.6a09e667f3bcdp-1"), float.fromhex("-0x1.bdd3413b26456p-55"))
"""sqrt(1 / 2) in two floats; below sqrt(8 / pi), and 0.044715 of it."""
_LINEAR = (float.fromhex("0x1.9884533d43651p+0"), float.fromhex("-0x1.cbc0d30ebfd15p-54"))
_CUBIC = (float.fromhex("0x1.2444f2a4d8b4bp-4"), float.fromhex("-0x1.6c843a29d1c7p-61"))


def gelu(x: Array) -> Array:
    """x * (1 + erf(x / sqrt 2)) / 2, through erfc on the left so that the tail keeps its digits."""
    near = np.clip(x, -60.0, 60.0)
    scaled, rest = _product(near, -_HALF_ROOT[0])
    rest = rest - near * _HALF_ROOT[1]
    values = np.array([math.erfc(v) for v in np.ravel(scaled).tolist()], np.float64).reshape(np.shape(x))
    # What rounding the argument lost, times the derivative: it counts more, the farther out x is.
    tail = values - rest * (2 / math.sqrt(math.pi)) * np.exp(-scaled * scaled)
    return np.where(x == -np.inf, -0.0, 0.5 * x * tail)


def gelu_tanh(x: Array) -> Array:
    """x * (1 + tanh(u)) / 2, u = sqrt(2 / pi) * (x + 0.044715 x^3), as x * sigmoid(2 u) with 2 u in two floats."""
    near = np.clip(x, -30.0, 30.0)
    square, square_rest = _product(near, near)
    cubic, cubic_rest = _product(square, _CUBIC[0])
    inner = cubic + _LINEAR[0]
    larger = np.maximum(cubic, _LINEAR[0])
    inner_rest = (np.minimum(cubic, _LINEAR[0]) - (inner - larger)) + (
        cubic_rest + square * _CUBIC[1] + square_rest * _CUBIC[0] + _LINEAR[1]
    )
    doubled, rest = _product(inner, near)
    return _gated(x, doubled, rest + inner_rest * near)


def _gated(x: Array, argument: Array, rest: Array | float) -> Array:
    """x * sigmoid(argument + rest)."""
    gate = sigmoid(argument)
    near = x * (gate + gate * (1 - gate) * rest)
    # Where the factor is subnormal the product need not be.
    root = np.exp(np.where(argument < -700, argument, 0.0) / 2)
    far = np.where(argument < -700, x * root * root * (1 + rest), near)
    return np.where(x == -np.inf, -0.0, far)


def swish(x: Array) -> Array:
    return _gated(x, np.maximum(x, -2000.0), 0.0)
