"""Affine expressions as sums of products with constants, and maps with the operands that they need.

Expressions that multiply or divide by a symbol are terms like any other. Sums are exact, as upstream's are: an index is
taken not to overflow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd

from xdsl.dialects import affine
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from hologram.dialects.arith import constant_of
from hologram.transforms.analysis.core_rules import is_symbol

_MOST = 32
"""How often maps are put into each other before an end is made."""
_Kind = AffineBinaryOpKind


@dataclass
class Sum:
    """A constant and terms, each times a constant."""

    terms: dict[AffineExpr, int]
    constant: int

    def plus(self, other: Sum, factor: int = 1) -> Sum:
        """The sum with another one times a factor."""
        terms = dict(self.terms)
        for term, count in other.terms.items():
            terms[term] = terms.get(term, 0) + factor * count
        return Sum({t: c for t, c in terms.items() if c}, self.constant + factor * other.constant)

    def split(self, divisor: int) -> tuple[Sum, Sum]:
        """The quotient of the terms that a divisor divides, and the rest, whose constant is less than the divisor."""
        whole = {t: c // divisor for t, c in self.terms.items() if c % divisor == 0}
        rest = {t: c for t, c in self.terms.items() if c % divisor}
        quotient, remainder = divmod(self.constant, divisor)
        return Sum(whole, quotient), Sum(rest, remainder)


def sum_of(expr: AffineExpr) -> Sum:
    """An expression as a sum."""
    if isinstance(expr, AffineConstantExpr):
        return Sum({}, expr.value)
    if not isinstance(expr, AffineBinaryOpExpr):
        return Sum({expr: 1}, 0)
    a, b = sum_of(expr.lhs), sum_of(expr.rhs)
    if expr.kind is _Kind.Add:
        return a.plus(b)
    if expr.kind is _Kind.Mul and not (a.terms and b.terms):
        known, other = (a, b) if not a.terms else (b, a)
        return Sum({}, 0).plus(other, known.constant)
    if b.terms or b.constant <= 0 or expr.kind is _Kind.Mul:
        return Sum({AffineBinaryOpExpr(expr.kind, written(a), written(b)): 1}, 0)
    return _divided(expr.kind, a, b.constant)


def _divided(kind: AffineBinaryOpKind, a: Sum, divisor: int) -> Sum:
    """A sum divided by a number: what it divides is taken out, and the rest stays a division."""
    whole, rest = a.split(divisor)
    if kind is _Kind.Mod:
        return Sum({}, rest.constant) if not rest.terms else _term(kind, rest, divisor)
    if rest.terms:
        return whole.plus(_term(kind, rest, divisor))
    return whole.plus(Sum({}, int(kind is _Kind.CeilDiv and rest.constant > 0)))


def _term(kind: AffineBinaryOpKind, a: Sum, divisor: int) -> Sum:
    """The division of a sum that stays one, by the least numbers."""
    common = gcd(divisor, a.constant, *a.terms.values())
    a = Sum({t: c // common for t, c in a.terms.items()}, a.constant // common)
    made = AffineBinaryOpExpr(kind, written(a), AffineConstantExpr(divisor // common))
    return Sum({made: common if kind is _Kind.Mod else 1}, 0)


def written(total: Sum) -> AffineExpr:
    """A sum as an expression."""
    out: AffineExpr | None = None
    for term, count in total.terms.items():
        each = term if count == 1 else AffineBinaryOpExpr(_Kind.Mul, term, AffineConstantExpr(count))
        out = each if out is None else AffineBinaryOpExpr(_Kind.Add, out, each)
    if out is None:
        return AffineConstantExpr(total.constant)
    return out if total.constant == 0 else AffineBinaryOpExpr(_Kind.Add, out, AffineConstantExpr(total.constant))


def replaced(expr: AffineExpr, replace: Callable[[AffineExpr], AffineExpr]) -> AffineExpr:
    """An expression with others in place of its dimensions and symbols."""
    match expr:
        case AffineBinaryOpExpr(kind, lhs, rhs):
            return AffineBinaryOpExpr(kind, replaced(lhs, replace), replaced(rhs, replace))
        case AffineDimExpr() | AffineSymExpr():
            return replace(expr)
        case _:
            return expr


@dataclass
class Mapped:
    """Expressions with the values that their dimensions and symbols are."""

    results: list[AffineExpr]
    dims: list[SSAValue]
    symbols: list[SSAValue]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapped):
            return False
        return (self.results, self.dims, self.symbols) == (other.results, other.dims, other.symbols)


def simplified(results: Sequence[AffineExpr], dims: Sequence[SSAValue], symbols: Sequence[SSAValue]) -> Mapped:
    """Expressions with maps and constants among their operands put into them, each operand once, and none that is not
    needed; what may be a symbol is one."""
    mapped = Mapped([*results], [*dims], [*symbols])
    for _ in range(_MOST):
        before = mapped
        mapped = _without_unused(_put_together(mapped))
        if mapped == before:
            break
    return mapped


def _put_together(mapped: Mapped) -> Mapped:
    out = Mapped([], [], [])

    def place(value: SSAValue, symbolic: bool) -> AffineExpr:
        number = constant_of(value)
        if number is not None:
            return AffineConstantExpr(number)
        owner = value.owner
        if isinstance(owner, affine.ApplyOp):
            inner, operands = owner.map.data, owner.mapOperands

            def inside(expr: AffineExpr) -> AffineExpr:
                at = expr.position if isinstance(expr, AffineDimExpr) else inner.num_dims + expr.position  # pyright: ignore
                return place(operands[at], symbolic or isinstance(expr, AffineSymExpr))

            return replaced(inner.results[0], inside)
        symbolic = symbolic or is_symbol(value)
        values = out.symbols if symbolic else out.dims
        position = next((n for n, v in enumerate(values) if v is value), len(values))
        if position == len(values):
            values.append(value)
        return AffineSymExpr(position) if symbolic else AffineDimExpr(position)

    def outside(expr: AffineExpr) -> AffineExpr:
        if isinstance(expr, AffineDimExpr):
            return place(mapped.dims[expr.position], False)
        assert isinstance(expr, AffineSymExpr)
        return place(mapped.symbols[expr.position], True)

    out.results = [written(sum_of(replaced(result, outside))) for result in mapped.results]
    return out


def _without_unused(mapped: Mapped) -> Mapped:
    used = {expr for result in mapped.results for expr in result.dfs()}
    dims = [n for n in range(len(mapped.dims)) if AffineDimExpr(n) in used]
    symbols = [n for n in range(len(mapped.symbols)) if AffineSymExpr(n) in used]

    def renumber(expr: AffineExpr) -> AffineExpr:
        if isinstance(expr, AffineDimExpr):
            return AffineDimExpr(dims.index(expr.position))
        assert isinstance(expr, AffineSymExpr)
        return AffineSymExpr(symbols.index(expr.position))

    results = [replaced(result, renumber) for result in mapped.results]
    return Mapped(results, [mapped.dims[n] for n in dims], [mapped.symbols[n] for n in symbols])
