"""The remainder of a truncating division: exact, so a loop where the quotient has many digits.

It is long division with a digit of `_digits` bits: significands from 1 to 2 are divided, and exponents only say how
many bits the quotient has. So the loop counts down whatever a device makes of subnormal numbers or of the last places
of a quotient, and nothing in it is subnormal or overflows. Numbers that are less than 2**20 (f32) or 2**49 (f64) apart
take one step. On vectors the loop ends with the last lane.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.ir import Block, Region

from hologram.lowering.arithmetic.expansions.expression import Expression, Format, minus_product


def remainder(x: Expression, y: Expression) -> Expression:
    """x - y * trunc(x / y), with the sign of x. NaN where x is infinite or y is 0 or one is NaN; x at infinite y."""
    format = x.format
    infinity, magnitude = (2 * format.bias + 1) << format.mantissa, (1 << (format.integer.width.data - 1)) - 1
    size, divisor = x.to_bits().both(magnitude), y.to_bits().both(magnitude)
    # By bits: a device may take a subnormal number for zero in one operation and not in the next.
    valid = size.compare("ult", infinity).both((divisor - 1).compare("ult", infinity))
    above, below = _normal(size), _normal(divisor)
    bits = valid.select(above.exponent - below.exponent + 1, x.integer(0))
    rest = _divided(above.significand * 0.5, bits, below.significand)
    power = below.exponent - format.bias
    half = power.ashr(1)
    rest = rest * _power_of_two(half) * _power_of_two(power - half)
    rest = bits.compare("sgt", 0).select(rest, size.from_bits())
    return valid.select(rest.copysign(x), math.nan)


def _digits(format: Format) -> int:
    """The bits of the quotient that a step finds: so few that 2.5 units in its last place, by which Vulkan lets a
    division be off, are below a half, and the rest is exact."""
    return format.mantissa - 2


def _divided(rest: Expression, bits: Expression, divisor: Expression) -> Expression:
    """The rest of rest * 2**bits; `rest` is below the divisor, which is from 1 to 2."""
    emitter = rest.emitter
    types = [rest.value.type, bits.value.type]
    before, after = Block(arg_types=types), Block(arg_types=types)
    test, body = emitter.nested(), emitter.nested()
    goes_on = Expression(test, before.args[1]).compare("sgt", 0).any()
    before.add_ops([*test.ops, scf.ConditionOp(goes_on.value, *before.args)])
    left = Expression(body, after.args[1])
    less = _step(Expression(body, after.args[0]), left, Expression(body, divisor.value))
    fewer = left - _digits(rest.format)
    after.add_ops([*body.ops, scf.YieldOp(less.value, fewer.value)])
    return emitter.expression(scf.WhileOp([rest.value, bits.value], types, Region(before), Region(after)))


def _step(rest: Expression, bits: Expression, divisor: Expression) -> Expression:
    """The rest after some more bits of the quotient; `rest` itself where none are left."""
    most = _digits(rest.format)
    taken = bits.compare("slt", most).select(bits, rest.integer(most))
    # Other lanes may still have some.
    taken = taken.compare("sgt", 0).select(taken, rest.integer(0))
    near = rest * _power_of_two(taken)
    less = minus_product(near, (near / divisor).round_even(), divisor)
    return less.lt(0.0).select(less + divisor, less)


@dataclass(frozen=True)
class _Normal:
    """A number as a significand from 1 to 2 and a biased exponent, below 1 for subnormal numbers."""

    significand: Expression
    exponent: Expression


def _normal(bits: Expression) -> _Normal:
    """Split a number at or above 0, by its bits. No operation on floats takes or gives a subnormal number."""
    format = bits.format
    one, fraction = format.bias << format.mantissa, (1 << format.mantissa) - 1
    subnormal = bits.compare("ule", fraction)
    moved = bits.either(one).from_bits() - 1.0
    bits = subnormal.select(moved.to_bits(), bits)
    exponent = bits.ashr(format.mantissa)
    exponent = exponent + subnormal.select(bits.integer(1 - format.bias), bits.integer(0))
    return _Normal(bits.both(fraction).either(one).from_bits(), exponent)


def _power_of_two(n: Expression) -> Expression:
    return (n + n.format.bias).shl(n.format.mantissa).from_bits()
