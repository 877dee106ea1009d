"""The remainder of a truncating division: exact, so a loop where the quotient is large.

A step takes away q * 2**k * y with a q of one digit less than the format has: the rest is then exact, and the exponents
come nearer by as many digits. Numbers that are less than 2**22 (f32) or 2**51 (f64) apart take one step. On vectors the
loop ends with the last lane.
"""

from __future__ import annotations

import math

from xdsl.dialects import scf
from xdsl.dialects.builtin import i1
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag, ReductionOp
from xdsl.ir import Block, Region

from hologram.dialects.arith import NO_FASTMATH
from hologram.lowering.expansions.expression import Emitter, Expression
from hologram.lowering.expansions.pairs import two_product


def remainder(x: Expression, y: Expression) -> Expression:
    """x - y * trunc(x / y), with the sign of x. NaN where x is infinite or y is 0 or one is NaN; x at infinite y."""
    size, divisor = abs(x), abs(y)
    valid = size.lt(math.inf).both(divisor.gt(0.0))
    # Else the loop would not end.
    start = valid.select(size, 0.0)
    exponent = _exponent(divisor)
    emitter = x.emitter
    before = Block(arg_types=[start.value.type])
    test = emitter.nested()
    rest = Expression(test, before.args[0])
    goes_on = _any(rest.ge(divisor))
    before.add_ops([*test.ops, scf.ConditionOp(goes_on.value, rest.value)])
    after = Block(arg_types=[start.value.type])
    body = emitter.nested()
    less = _step(Expression(body, after.args[0]), Expression(body, divisor.value), Expression(body, exponent.value))
    after.add_ops([*body.ops, scf.YieldOp(less.value)])
    loop = scf.WhileOp([start.value], [start.value.type], Region(before), Region(after))
    return valid.select(emitter.emit(loop).copysign(x), math.nan)


def _step(rest: Expression, divisor: Expression, exponent: Expression) -> Expression:
    """Less of the same remainder; `rest` itself where it is below the divisor."""
    format = rest.format
    apart = _exponent(rest).int_sub(exponent).int_sub(format.mantissa - 1)
    shift = apart.int_compare("sgt", 0).select(apart, rest.integer(0))
    half = shift.shift_right(1)
    scaled = divisor * _power_of_two(half) * _power_of_two(shift.int_sub(half))
    # A quotient that is rounded up would make the product of the greatest numbers overflow.
    great = rest.ge(2.0 ** (format.bias - 1))
    near = great.select(rest * 0.25, rest)
    scaled = great.select(scaled * 0.25, scaled)
    # The quotient is right, or rounded up to the next integer.
    product = two_product((near / scaled).trunc(), scaled)
    less = (near - product.high) - product.low
    less = less.lt(0.0).select(less + scaled, less)
    less = great.select(less * 4.0, less)
    return rest.ge(divisor).select(less, rest)


def _exponent(x: Expression) -> Expression:
    """The exponent of x at or above 0, biased; below 1 for subnormal numbers."""
    format = x.format
    subnormal = x.lt(2.0 ** (1 - format.bias))
    up = format.mantissa + 1
    bits = subnormal.select(x * 2.0**up, x).to_bits().shift_right(format.mantissa)
    return bits.int_sub(subnormal.select(x.integer(up), x.integer(0)))


def _power_of_two(n: Expression) -> Expression:
    return n.int_add(n.format.bias).shift_left(n.format.mantissa).from_bits()


def _any(truth: Expression) -> Expression:
    """Whether one lane is true."""
    emitter: Emitter = truth.emitter
    if emitter.shape is None:
        return truth
    kind = CombiningKindAttr(CombiningKindFlag.OR)
    reduction = ReductionOp.build(
        operands=[truth.value, None], result_types=[i1], properties={"kind": kind, "fastmath": NO_FASTMATH}
    )
    return emitter.emit(reduction)
