"""The laws of commutative rings as canonicalisation: a pattern a law."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.arith import ConstantOp as IntegerConstantOp
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.traits import ConstantLike

from hologram.dialects.algebra import derived, elements_constant, generators
from hologram.dialects.hologram.base import integers
from hologram.dialects.hologram.canonicalization import rebuild, replace
from hologram.dialects.shapes import DYNAMIC
from hologram.dialects.torus.base import integer_bits
from hologram.dialects.torus.types import ElementsAttr, places

GeneratorOp = generators.GeneratorOp
_COMMUTATIVE = (generators.AddOp, generators.MulOp)


def splat_of(value: SSAValue) -> int | None:
    """The packed element that all places of a constant have."""
    attr = ConstantLike.get_constant_value(value)
    return attr.splat if isinstance(attr, ElementsAttr) else None


def _is_constant(value: SSAValue) -> bool:
    return isinstance(ConstantLike.get_constant_value(value), ElementsAttr)


def _inner(value: SSAValue, kind: type[Any]) -> Operation | None:
    """The operation that makes a value, if it is of a kind and works on the value's very type."""
    owner = value.owner
    if not isinstance(owner, Operation) or not isinstance(owner, kind):
        return None
    return owner if owner.operands[-1].type == value.type else None


def _constant(rewriter: PatternRewriter, op: Operation, packed: int) -> None:
    """Replaces the result by a constant, where its shape is known."""
    type = op.results[0].type
    if DYNAMIC not in places(type):
        rebuild(rewriter, op, elements_constant(ElementsAttr.of(type, [packed])))


def _make(rewriter: PatternRewriter, op: Operation, kind: type[Any], *operands: SSAValue) -> SSAValue:
    """A new operation before `op`, of its result's type."""
    new = kind(*operands, type=op.results[0].type)
    new.location = op.location
    rewriter.insert(new)
    return new.results[0]


def _become(rewriter: PatternRewriter, op: Operation, kind: type[Any], *operands: SSAValue) -> None:
    """Replaces `op` by another one over values of the result's type."""
    type = op.results[0].type
    if all(v.type == type for v in operands):
        rebuild(rewriter, op, kind(*operands, type=type))


class Commutativity(RewritePattern):
    """c op x = x op c: constants stand on the right."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        a, b = op.operands
        if _is_constant(a) and not _is_constant(b):
            rebuild(rewriter, op, cast("Any", type(op))(b, a, type=op.results[0].type))


class Associativity(RewritePattern):
    """(x op c) op d = x op (c op d) for constants c and d, which folds."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        kind = type(op)
        inner = _inner(op.operands[0], kind)
        if inner is not None and _is_constant(inner.operands[1]) and _is_constant(op.operands[1]):
            if any(v.type != op.results[0].type for v in (*inner.operands, *op.operands)):
                return
            both = _make(rewriter, op, kind, inner.operands[1], op.operands[1])
            _become(rewriter, op, kind, inner.operands[0], both)


class NeutralElement(RewritePattern):
    """x + 0 = x, x - 0 = x, x * 1 = x."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        ring = cast("GeneratorOp", op).ring
        if splat_of(op.operands[1]) == (ring.one if isinstance(op, generators.MulOp) else ring.zero):
            replace(rewriter, op, op.operands[0])


class Annihilation(RewritePattern):
    """x * 0 = 0."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if splat_of(op.operands[1]) == cast("GeneratorOp", op).ring.zero:
            replace(rewriter, op, op.operands[1])


class ProductByMinusOne(RewritePattern):
    """x * (-1) = -x."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        ring = cast("GeneratorOp", op).ring
        if splat_of(op.operands[1]) == ring.neg(ring.one):
            _become(rewriter, op, generators.NegOp, op.operands[0])


class ProductOfInverses(RewritePattern):
    """(-x) * (-y) = x * y."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        a, b = (_inner(v, generators.NegOp) for v in op.operands)
        if a is not None and b is not None:
            _become(rewriter, op, generators.MulOp, a.operands[0], b.operands[0])


class Distributivity(RewritePattern):
    """x * z + y * z = (x + y) * z, and so of differences: one product less."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        a, b = (_inner(v, generators.MulOp) for v in op.operands)
        if a is None or b is None or a is b or not (op.operands[0].has_one_use() and op.operands[1].has_one_use()):
            return
        pairs = [(x, y, z) for x, z in _both(a) for y, w in _both(b) if z is w]
        if pairs and all(v.type == op.results[0].type for v in (*a.operands, *b.operands)):
            x, y, z = pairs[0]
            _become(rewriter, op, generators.MulOp, _make(rewriter, op, type(op), x, y), z)


def _both(op: Operation) -> list[tuple[SSAValue, SSAValue]]:
    a, b = op.operands
    return [(a, b), (b, a)]


class SumWithInverse(RewritePattern):
    """x + (-y) = x - y."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        for x, y in _both(op):
            if (inner := _inner(y, generators.NegOp)) is not None:
                _become(rewriter, op, generators.SubOp, x, inner.operands[0])
                return


class DifferenceFromInverse(RewritePattern):
    """x - (-y) = x + y."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if (inner := _inner(op.operands[1], generators.NegOp)) is not None:
            _become(rewriter, op, generators.AddOp, op.operands[0], inner.operands[0])


class DifferenceWithItself(RewritePattern):
    """x - x = 0."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if op.operands[0] is op.operands[1]:
            _constant(rewriter, op, cast("GeneratorOp", op).ring.zero)


class DifferenceFromZero(RewritePattern):
    """0 - x = -x."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if splat_of(op.operands[0]) == cast("GeneratorOp", op).ring.zero:
            _become(rewriter, op, generators.NegOp, op.operands[1])


class DoubleInverse(RewritePattern):
    """-(-x) = x."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if (inner := _inner(op.operands[0], generators.NegOp)) is not None:
            replace(rewriter, op, inner.operands[0])


class InverseOfDifference(RewritePattern):
    """-(x - y) = y - x."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if (inner := _inner(op.operands[0], generators.SubOp)) is not None and op.operands[0].has_one_use():
            _become(rewriter, op, generators.SubOp, inner.operands[1], inner.operands[0])


class ScaleByConstant(RewritePattern):
    """1 x = x, 0 x = 0, (-1) x = -x."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: generators.ScaleOp, rewriter: PatternRewriter) -> None:
        match _integer(op.k):
            case 1:
                replace(rewriter, op, op.a)
            case 0:
                _constant(rewriter, op, op.ring.zero)
            case -1:
                _become(rewriter, op, generators.NegOp, op.a)
            case _:
                pass


class ScaleOfScale(RewritePattern):
    """k (l x) = (k l) x for constants whose product is an integer of the type."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: generators.ScaleOp, rewriter: PatternRewriter) -> None:
        inner = op.a.owner
        if not isinstance(inner, generators.ScaleOp) or inner.k.type != op.k.type:
            return
        k, l, bits = _integer(op.k), _integer(inner.k), integer_bits(op.k.type)  # noqa: E741
        if k is None or l is None or bits is None or not -(1 << (bits - 1)) <= k * l < 1 << (bits - 1):
            return
        factor = IntegerConstantOp(IntegerAttr(k * l, cast("Any", op.k.type)))
        factor.location = op.location
        rewriter.insert(factor)
        rebuild(rewriter, op, generators.ScaleOp(factor.result, inner.a, type=op.result.type))


def _integer(value: SSAValue) -> int | None:
    """The constant that a scalar integer is."""
    attr: Attribute | None = ConstantLike.get_constant_value(value)
    return attr.value.data if isinstance(attr, IntegerAttr) else None


class ReductionOverNothing(RewritePattern):
    """A sum or product over no axes is its operand."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, derived.ReductionOp) and not integers(op.axes):
            replace(rewriter, op, op.x)


_PATTERNS: dict[type[Any], tuple[RewritePattern, ...]] = {
    generators.AddOp: (Commutativity(), NeutralElement(), Associativity(), SumWithInverse(), Distributivity()),
    generators.SubOp: (
        NeutralElement(), DifferenceWithItself(), DifferenceFromZero(), DifferenceFromInverse(), Distributivity(),
    ),
    generators.MulOp: (
        Commutativity(), NeutralElement(), Annihilation(), ProductByMinusOne(), ProductOfInverses(), Associativity(),
    ),
    generators.NegOp: (DoubleInverse(), InverseOfDifference()),
    generators.ScaleOp: (ScaleByConstant(), ScaleOfScale()),
    derived.SumOp: (ReductionOverNothing(),),
    derived.ProductOp: (ReductionOverNothing(),),
}  # fmt: skip


def patterns_of(op: type[Any]) -> tuple[RewritePattern, ...]:
    """The patterns of an operation class."""
    return _PATTERNS.get(op, ())
