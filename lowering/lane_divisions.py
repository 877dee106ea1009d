"""Quotients of lanes' numbers, where all lanes of a loop have the same: they are in one row of an array."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from hologram.dialects.arith import constant_of
from hologram.lowering.lane_conditions import Corners, Strides

Division: TypeAlias = arith.DivUIOp | arith.DivSIOp | arith.RemUIOp | arith.RemSIOp


@dataclass
class Divisions:
    """The quotients that are computed before a loop."""

    corners: Corners
    checks: list[SSAValue] = field(default_factory=list[SSAValue])
    """What must hold, so that they are those of all lanes."""
    strides: list[Strides] = field(default_factory=list[Strides])
    """What dividends grow by."""
    quotients: dict[tuple[SSAValue, SSAValue, bool], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, SSAValue, bool], SSAValue]
    )

    def quotient(self, op: Division) -> SSAValue | None:
        """What a division by the same in all lanes gives at the first lane, if that can be told before the loop.

        Numbers that grow by even steps are in one row from the first lane to the last if these two are.
        """
        lanes = self.corners.lanes
        number = op.lhs.owner.input if isinstance(op.lhs.owner, arith.TruncIOp) else op.lhs
        strides = lanes.strides(number)
        if strides is None or any(s < 0 for s in strides.values()) or lanes.strides(op.rhs) != {}:
            return None
        signed = isinstance(op, arith.DivSIOp | arith.RemSIOp)
        key = op.lhs, op.rhs, signed
        if key not in self.quotients:
            self.strides.append(strides)
            self._check_steps(number, op.lhs)
            self.quotients[key] = self._made(op, signed, bool(strides))
        return self.quotients[key]

    def _check_steps(self, number: SSAValue, dividend: SSAValue) -> None:
        """Numbers that are cut to fewer bits go around once at most from the first to the last."""
        if number is dividend:
            return
        c = self.corners
        span = c.add(arith.SubiOp(c.at(number, True), c.at(number, False)))
        self.checks.append(c.compare("ult", span, c.constant(1 << 31, span.type)))

    def _made(self, op: Division, signed: bool, varies: bool) -> SSAValue:
        c = self.corners
        low, high, divisor = c.at(op.lhs, False), c.at(op.lhs, varies), c.at(op.rhs, False)
        zero = c.constant(0, divisor.type)
        if (constant_of(divisor) or 0) <= 0:
            some = c.compare("sgt" if signed else "ne", divisor, zero)
            self.checks.append(some)
            divisor = c.add(arith.SelectOp(some, divisor, c.constant(1, divisor.type)))
        if signed:
            self.checks += [c.compare("sge", v, zero) for v in {low: None, high: None}]
        first = c.add(arith.DivUIOp(low, divisor))
        if varies:
            last = c.add(arith.DivUIOp(high, divisor))
            self.checks += [c.compare("ule", low, high), c.compare("eq", first, last)]
        return first

    def remainder(self, op: Division, quotient: SSAValue) -> None:
        """Says what a remainder is before the loop."""
        c = self.corners
        whole = c.add(arith.MuliOp(quotient, c.at(op.rhs, False)))
        c.lanes.known[op.result] = c.lanes.strides(op.lhs)
        for last in (False, True):
            c.made[op.result, last] = c.add(arith.SubiOp(c.at(op.lhs, last), whole))
