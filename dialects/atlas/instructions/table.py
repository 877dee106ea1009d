"""The scalar instructions (isa.md section 3), a row each: for lane programs and the regions of maps and reductions.

Meanings state the edge values and name operands by their letters; the reference functions are the oracle. What else is
called by an instruction's name follows from its row (`declaration.Instruction` says what): give a name only where it
differs. The instructions over classes are in `lanes.state`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from hologram.dialects.atlas.instructions import reference
from hologram.dialects.atlas.instructions.declaration import INSTRUCTIONS, Instruction, declare, made
from hologram.dialects.atlas.instructions.dtypes import ALL, BOOL, FLOATS, INTEGERS, NUMBERS, Array, DType
from hologram.dialects.lazy import np


def _real(function: Callable[[Array], Array] | Callable[[Array, Array], Array]) -> Callable[..., Array]:
    """A function of real numbers, evaluated in float64 and rounded to the type."""
    return partial(reference.through_f64, function)


def _compared(t: DType, a: Array, b: Array, condition: str = "eq") -> Array:
    return reference.compare(condition, t, a, b)


# fmt: off
# Arithmetic

declare(
    "add", "a b", NUMBERS, "a + b; integers wrap, floats round once.", lambda t, a, b: a + b, commutative=True,
    word="", tensor="add", code="a + b",
)
declare(
    "sub", "a b", NUMBERS, "a - b; integers wrap, floats round once.", lambda t, a, b: a - b,
    word="", tensor="sub", code="a - b",
)
declare(
    "mul", "a b", NUMBERS, "a * b; integers wrap, floats round once.", lambda t, a, b: a * b, commutative=True,
    word="", tensor="mul", code="a * b",
)
declare(
    "div", "a b", NUMBERS,
    "a / b; integers truncate toward zero, least / -1 wraps, division by zero traps.", reference.divide,
    traps="integer division by zero", function="",
)
declare(
    "rem", "a b", NUMBERS,
    "The remainder with the sign of the dividend; least % -1 is 0, integer zero traps, floats are fmod (C99), exact.",
    reference.remainder, traps="integer division by zero",
)
declare("mad", "a b c", NUMBERS, "a * b + c in two roundings.", lambda t, a, b, c: a * b + c, function="", kernel="")
declare("fma", "a b c", NUMBERS, "a * b + c in one rounding; integers wrap.", reference.fma, brings="float")
declare(
    "fms", "a b c", NUMBERS, "a * b - c in one rounding; integers wrap.",
    compose=lambda do, a, b, c: do.fma(a, b, do.neg(c)), function="",
)
declare(
    "min", "a b", NUMBERS, "The lesser; of floats the non-NaN operand (IEEE minimumNumber), -0 < +0.",
    reference.minimum_number, commutative=True, tensor="", code="min(a, b)",
)
declare(
    "max", "a b", NUMBERS, "The greater; of floats the non-NaN operand (IEEE maximumNumber), -0 < +0.",
    reference.maximum_number, commutative=True, tensor="", code="max(a, b)",
)
declare(
    "min.nan", "a b", NUMBERS, "The lesser; of floats NaN wins (IEEE minimum), -0 < +0.",
    reference.minimum, commutative=True, tensor="min", function="minimum",
)
declare(
    "max.nan", "a b", NUMBERS, "The greater; of floats NaN wins (IEEE maximum), -0 < +0.",
    reference.maximum, commutative=True, tensor="max", function="maximum",
)
declare(
    "abs", "a", NUMBERS, "|a|; the least integer wraps, unsigned is the identity.", reference.absolute, code="abs(a)",
)
declare("neg", "a", NUMBERS, "-a; the least integer wraps, -0 and +0 swap.", lambda t, a: -a, code="-a")
declare("sign", "a", NUMBERS, "-1, 0 or 1; keeps -0 and NaN; unsigned 0 or 1.", reference.sign)
declare(
    "clamp", "x lo hi", NUMBERS, "min(max(x, lo), hi).", compose=lambda do, x, lo, hi: do.min(do.max(x, lo), hi),
    arguments=("x", "low", "high"), kernel="",
)
declare(
    "lerp", "a b t", FLOATS, "fma(t, b, fma(-t, a, a)).",
    compose=lambda do, a, b, t: do.fma(t, b, do.fma(do.neg(t), a, a)), kernel="",
)

# Logic

declare(
    "and", "a b", INTEGERS | BOOL, "Bitwise and.", lambda t, a, b: a & b, commutative=True,
    word="", tensor="and", function="bit_and", code="a & b",
)
declare(
    "or", "a b", INTEGERS | BOOL, "Bitwise or.", lambda t, a, b: a | b, commutative=True,
    word="", tensor="or", function="bit_or", code="a | b",
)
declare(
    "xor", "a b", INTEGERS | BOOL, "Bitwise exclusive or.", lambda t, a, b: a ^ b, commutative=True,
    word="", tensor="xor", function="bit_xor", code="a ^ b",
)
declare(
    "not", "a", INTEGERS | BOOL, "Bitwise complement.", lambda t, a: ~a,
    word="", tensor="not", function="invert", code="~a",
)
declare(
    "shl", "a amount:u32", INTEGERS, "Shifts left; the amount counts modulo the width.", reference.shift_left,
    word="", tensor="shl", function="", kernel="",
)
declare(
    "shr", "a amount:u32", INTEGERS, "Shifts right, arithmetic for signed types; the amount counts modulo the width.",
    reference.shift_right, word="", tensor="shr", function="", kernel="",
)
declare("mov", "a", ALL, "A copy of a; NaNs keep their bits.", lambda t, a: a, word="", kernel="")
declare(
    "sel", "p:bool a b", ALL, "a where p holds, else b.", lambda t, p, a, b: np.where(p, a, b), word="", kernel="",
)

# Roundings

declare("floor", "a", FLOATS, "Rounds toward -inf; keeps -0.", lambda t, a: np.floor(a), brings="whole")
declare("ceil", "a", FLOATS, "Rounds toward +inf; gives -0 in (-1, -0].", lambda t, a: np.ceil(a), brings="whole")
declare("round", "a", FLOATS, "Rounds to nearest, half to even.", lambda t, a: np.rint(a), brings="whole")
declare("trunc", "a", FLOATS, "Rounds toward zero; keeps the sign of zero.", lambda t, a: np.trunc(a), brings="whole")

# Roots and reciprocals

declare("sqrt", "a", FLOATS, "The square root, rounded once; NaN below -0, -0 at -0.", _real(lambda a: np.sqrt(a)))
declare(
    "rsqrt", "a", FLOATS, "1 / sqrt(a); NaN below -0, +inf at +0, -inf at -0.",
    _real(lambda a: 1 / np.sqrt(a)), exact=False,
)
declare(
    "rcp", "a", FLOATS, "1 / a, rounded once.", lambda t, a: np.ones_like(a) / a,
    tensor="reciprocal", kernel="vector/vector_reciprocal",
)

# Activations

declare(
    "relu", "a", NUMBERS, "+0 where a < 0, else a: NaN and -0 stay.", reference.relu,
    kernel="activation/relu",
)


def _function(name: str, meaning: str, compute: Any, operands: str = "a", **more: Any) -> Instruction:
    """A function of real numbers, within a stated error bound."""
    return declare(name, operands, FLOATS, meaning, compute, exact=False, **more)


def _activation(name: str, meaning: str, compute: Any) -> Instruction:
    """One that is in the library's folder of activations."""
    kernel = f"activation/{name.replace('.', '_')}"
    return _function(name, meaning, _real(compute), group="activation", kernel=kernel)


_activation("sigmoid", "1 / (1 + exp(-a)); 0 at -inf, 1 at +inf.", reference.sigmoid)
_activation("gelu", "a * (1 + erf(a / sqrt 2)) / 2; -0 at -inf.", reference.gelu)
_activation(
    "gelu.tanh", "a * (1 + tanh(sqrt(2 / pi) * (a + 0.044715 a^3))) / 2; -0 at -inf.", reference.gelu_tanh,
)
_activation("swish", "a * sigmoid(a); -0 at -inf.", reference.swish)

# Transcendentals

_function("exp", "e^a; +0 at -inf, overflows to +inf.", _real(lambda a: np.exp(a)))
_function("exp2", "2^a; +0 at -inf, overflows to +inf.", _real(lambda a: np.exp2(a)))
_function("expm1", "e^a - 1 without cancellation; keeps -0, -1 at -inf.", _real(lambda a: np.expm1(a)))
_function("log", "The natural logarithm; -inf at 0, NaN below.", _real(lambda a: np.log(a)))
_function("log2", "The logarithm to base 2; -inf at 0, NaN below.", _real(lambda a: np.log2(a)))
_function("log10", "The logarithm to base 10; -inf at 0, NaN below.", _real(lambda a: np.log10(a)))
_function("log1p", "log(1 + a) without cancellation; keeps -0, -inf at -1.", _real(lambda a: np.log1p(a)))
_function(
    "pow", "a^b by C99 annex F: 1 at b = 0 and at a = 1, whatever the other.",
    _real(lambda a, b: np.power(a, b)), "a b", function="",
)
_function("sin", "The sine of radians; keeps -0, NaN at infinities.", _real(lambda a: np.sin(a)))
_function("cos", "The cosine of radians; NaN at infinities.", _real(lambda a: np.cos(a)))
_function("tan", "The tangent of radians; keeps -0, NaN at infinities.", _real(lambda a: np.tan(a)))
_function("atan", "The arc tangent in (-pi/2, pi/2); keeps -0.", _real(lambda a: np.arctan(a)))
_function(
    "atan2", "The angle of (b, a) in [-pi, pi] by C99 annex F.", _real(lambda a, b: np.arctan2(a, b)), "a b",
    arguments=("y", "x"),
)
_function(
    "tanh", "The hyperbolic tangent; keeps -0, +-1 at infinities.", _real(lambda a: np.tanh(a)),
    group="activation", kernel="activation/tanh",
)
_function("erf", "The error function; keeps -0, +-1 at infinities.", reference.erf)
SETCC = made(
    "setcc", "a b", NUMBERS | BOOL, "Whether the condition holds.",
    _compared, result="bool",
)
"""Its condition is a modifier of its evaluation."""
# fmt: on

ROWS = tuple(INSTRUCTIONS.values())
"""The instructions that are declared here."""

__all__ = ["INSTRUCTIONS", "ROWS", "SETCC"]
