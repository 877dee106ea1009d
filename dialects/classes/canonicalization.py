"""Canonicalisation over classes: a pattern a law. Where a law drops an operation that may trap, a check stays."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from hologram.classes import Transform
from hologram.dialects.classes import elementwise as ops
from hologram.dialects.classes.base import ClassOp, constants_of, make, proves, signed
from hologram.dialects.hologram.canonicalization import rebuild, replace


def checked(rewriter: PatternRewriter, op: Operation, c: SSAValue) -> None:
    """Replaces an operation by a class, after the check that it is one."""
    if c.type == op.results[0].type:
        rebuild(rewriter, op, make(ops.CheckOp, c))


def absorb(rewriter: PatternRewriter, inner: Operation) -> None:
    """Drops an operation that nothing uses any more, whose check what replaced its user does too."""
    if inner.results[0].first_use is None:
        rewriter.erase(inner)


class CheckedAgain(RewritePattern):
    """f(check(c)) = f(c), where f checks its class itself."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, ClassOp):
            return
        for number, (value, kind) in enumerate(zip(op.operands, op.operand_kinds, strict=True)):
            inner = value.owner
            if kind == "class" and isinstance(inner, ops.CheckOp) and value.has_one_use():
                op.operands[number] = inner.operands[0]
                rewriter.erase(inner)
                rewriter.notify_op_modified(op)


class Known(RewritePattern):
    """check(c) = c, where c is known to be a class."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if proves(op.operands[0], "class"):
            replace(rewriter, op, op.operands[0])


_POWERS: dict[type[Operation], str] = {ops.RotateOp: "r", ops.TrialityOp: "d", ops.TwistOp: "t"}


class ConstantPower(RewritePattern):
    """R^k, D^k, T^k of a constant k, and M, are transforms."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        element = Transform(mirror=True)
        if (power := _POWERS.get(type(op))) is not None:
            k = op.operands[1]
            exponents = constants_of(k)
            if exponents is None or (exponents != exponents[0]).any():
                return
            element = Transform.power(power, signed(int(exponents[0]), k))
        rebuild(rewriter, op, ops.TransformOp.of(element, op.operands[0]))


class Composition(RewritePattern):
    """g(h(c)) = (g h)(c); powers are brought to their least values."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ops.TransformOp, rewriter: PatternRewriter) -> None:
        inner = op.c.owner
        if isinstance(inner, ops.TransformOp):
            rebuild(rewriter, op, ops.TransformOp.of(op.element.after(inner.element), inner.c))
            absorb(rewriter, inner)
        elif op.element == Transform():
            checked(rewriter, op, op.c)
        elif op.properties != ops.TransformOp.properties_of(op.element):
            rebuild(rewriter, op, ops.TransformOp.of(op.element, op.c))


_INVERSES = ((ops.MirrorOp, ops.MirrorOp), (ops.ClassifyOp, ops.CanonicalByteOp))


class Inverse(RewritePattern):
    """mirror(mirror(c)) = c, classify(canonical_byte(c)) = c."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        inner = op.operands[0].owner
        if isinstance(inner, Operation) and (type(op), type(inner)) in _INVERSES:
            checked(rewriter, op, inner.operands[0])
            absorb(rewriter, inner)


class MirrorInvariant(RewritePattern):
    """is_unity(mirror(c)) = is_unity(c), degree(mirror(c)) = degree(c)."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        inner = op.operands[0].owner
        if isinstance(inner, ops.MirrorOp):
            rebuild(rewriter, op, make(type(op), inner.operands[0]))
            absorb(rewriter, inner)


_PARTS: tuple[type[Operation], ...] = (ops.AddressClassOp, ops.AddressPageOp, ops.AddressByteOp)


class PartOfAddress(RewritePattern):
    """address_class(address(c, p, b)) = c, and so the page and the byte, where all three are in range."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        inner = op.operands[0].owner
        if isinstance(inner, ops.AddressOp) and not inner.may_trap:
            replace(rewriter, op, inner.operands[_PARTS.index(type(op))])


class AddressOfParts(RewritePattern):
    """address(address_class(a), address_page(a), address_byte(a)) = a, where a is in range."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        owners = [v.owner for v in op.operands]
        whole = {o.operands[0] for o in owners if isinstance(o, _PARTS)}
        if tuple(map(type, owners)) == _PARTS and len(whole) == 1 and proves(address := whole.pop(), "address"):
            replace(rewriter, op, address)


_PATTERNS: dict[type[Operation], RewritePattern] = {
    ops.CheckOp: Known(),
    **dict.fromkeys((*_POWERS, ops.SigilMirrorOp), ConstantPower()),
    ops.TransformOp: Composition(),
    **dict.fromkeys((ops.MirrorOp, ops.ClassifyOp), Inverse()),
    **dict.fromkeys((ops.IsUnityOp, ops.DegreeOp), MirrorInvariant()),
    **dict.fromkeys(_PARTS, PartOfAddress()),
    ops.AddressOp: AddressOfParts(),
}


def patterns_of(op: type[Operation]) -> tuple[RewritePattern, ...]:
    """The patterns of an operation's class."""
    own = _PATTERNS.get(op)
    return (CheckedAgain(),) if own is None else (CheckedAgain(), own)
