"""Proofs that indices lie in bounds: linear forms of index arithmetic, the sizes of memrefs, and what loops and
conditions around an access say of them.

Everything is over integers that do not wrap: an operation that may wrap is a term of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias, cast

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, IntegerType, MemRefType
from xdsl.ir import Attribute, BlockArgument, Operation, Region, SSAValue

from hologram.dialects.layouts import integer_width
from hologram.dialects.verbs import VERBS

LEAST, MOST = -(1 << 63), (1 << 63) - 1
STEPS = 6
"""The substitutions that one proof takes, at most."""
Term: TypeAlias = "SSAValue | tuple[SSAValue, int]"
"""A value, or the size of a memref along an axis."""


class Linear(NamedTuple):
    """A sum of terms with factors, and a number."""

    terms: Mapping[Term, int]
    number: int

    def plus(self, other: Linear, times: int = 1) -> Linear:
        """This and a multiple of another one."""
        terms = dict(self.terms)
        for term, factor in other.terms.items():
            terms[term] = terms.get(term, 0) + times * factor
        return Linear({t: f for t, f in terms.items() if f}, self.number + times * other.number)

    @property
    def key(self) -> tuple[Any, ...]:
        """What equal forms have in common."""
        return frozenset(self.terms.items()), self.number


def constant(number: int) -> Linear:
    """A number as a linear form."""
    return Linear({}, number)


class IndexBounds:
    """The bounds of the indices of a module, as long as nobody changes what they are computed of."""

    def __init__(self) -> None:
        self._ranges: dict[SSAValue, tuple[int, int]] = {}
        self._forms: dict[SSAValue, Linear] = {}

    # Forms

    def form(self, value: SSAValue) -> Linear:
        """An integer or index as a linear form of what it is computed of."""
        known = self._forms.get(value)
        if known is None:
            known = self._forms[value] = self._form(value) or Linear({value: 1}, 0)
        return known

    def _form(self, value: SSAValue) -> Linear | None:
        op = value.owner
        if not isinstance(op, Operation):
            return None
        if (number := constant_of(value)) is not None:
            return constant(number)
        if isinstance(op, memref.DimOp):
            axis = constant_of(op.index)
            rank = len(cast("MemRefType[Attribute]", op.source.type).get_shape())
            return self.size(op.source, axis) if axis is not None and 0 <= axis < rank else None
        if isinstance(op, arith.IndexCastOp) and 1 < _bits(op.input.type) <= _bits(op.result.type):
            return self.form(op.input)
        verb = VERBS.get(type(op))
        if verb not in ("add", "sub", "mul") or self._exact(op) is None:
            return None
        a, b = (self.form(v) for v in op.operands)
        if verb != "mul":
            return a.plus(b, 1 if verb == "add" else -1)
        if a.terms and b.terms:
            return None
        (scaled, factor) = (b, a.number) if not a.terms else (a, b.number)
        return constant(0).plus(scaled, factor)

    def size(self, value: SSAValue, axis: int) -> Linear:
        """The size of a memref or tensor along an axis."""
        static = cast("MemRefType[Attribute]", value.type).get_shape()
        if static[axis] != DYNAMIC_INDEX:
            return constant(static[axis])
        op = value.owner
        number = [n for n, s in enumerate(static) if s == DYNAMIC_INDEX].index(axis)
        if isinstance(op, memref.AllocOp | memref.AllocaOp):
            return self.form(op.dynamic_sizes[number])
        if isinstance(op, memref.CastOp):
            return self.size(op.source, axis)
        if isinstance(op, memref.ViewOp | memref.ReinterpretCastOp):
            return self.form(op.sizes[number])
        if isinstance(op, memref.SubviewOp) and len(op.static_sizes) == len(static):
            sizes = [int(s) for s in op.static_sizes.iter_values()]
            if sizes[axis] != DYNAMIC_INDEX:
                return constant(sizes[axis])
            return self.form(op.sizes[sum(s == DYNAMIC_INDEX for s in sizes[:axis])])
        return Linear({(value, axis): 1}, 0)

    # Ranges

    def range(self, term: Term) -> tuple[int, int]:
        """The least and the greatest number that a term may be."""
        if isinstance(term, tuple):
            return 0, MOST
        known = self._ranges.get(term)
        if known is None:
            whole = self._ranges[term] = _whole(term.type)
            found = self._range(term)
            known = self._ranges[term] = (max(found[0], whole[0]), min(found[1], whole[1])) if found else whole
        return known

    def _range(self, value: SSAValue) -> tuple[int, int] | None:
        if isinstance(value, BlockArgument):
            bounds = loop_bounds(value)
            return None if bounds is None else (self.range(bounds[0])[0], self.range(bounds[1])[1] - 1)
        op = cast("Operation", value.owner)
        if (number := constant_of(value)) is not None:
            return number, number
        match op:
            case memref.DimOp():
                return 0, MOST
            case arith.IndexCastOp() | arith.ExtSIOp() if 1 < _bits(op.operands[0].type) <= _bits(op.results[0].type):
                return self.range(op.operands[0])
            case arith.ExtUIOp():
                low, high = self.range(op.input)
                return (low, high) if low >= 0 and _bits(op.input.type) > 1 else (0, (1 << _bits(op.input.type)) - 1)
            case arith.SelectOp():
                (a, b), (c, d) = self.range(op.lhs), self.range(op.rhs)
                return min(a, c), max(b, d)
            case _:
                return self._computed(op)

    def _computed(self, op: Operation) -> tuple[int, int] | None:
        verb = VERBS.get(type(op))
        if verb is None or not isinstance(op.results[0].type, IntegerType | IndexType):
            return _ID_RANGES.get(op.name)
        if verb in ("add", "sub", "mul"):
            return self._exact(op)
        (a, b), (c, d) = (self.range(v) for v in op.operands)
        natural = a >= 0 and c >= 0
        match verb:
            case "smin":
                return min(a, c), min(b, d)
            case "smax":
                return max(a, c), max(b, d)
            case "min" | "max" if natural:
                return (min(a, c), min(b, d)) if verb == "min" else (max(a, c), max(b, d))
            case "min" if c >= 0:
                return 0, d
            case "rem" if c > 0:
                return 0, d - 1
            case "srem" if natural and c > 0:
                return 0, min(b, d - 1)
            case "div" | "sdiv" if natural and c > 0:
                return a // d, b // c
            case "and" if c >= 0 or a >= 0:
                return 0, min(n for low, n in ((a, b), (c, d)) if low >= 0)
            case "shr" if natural and d < 64:
                return a >> d, b >> c
            case _:
                return None

    def _exact(self, op: Operation) -> tuple[int, int] | None:
        """The range of a sum, difference or product that can't wrap; None if it may."""
        (a, b), (c, d) = (self.range(v) for v in op.operands)
        match VERBS[type(op)]:
            case "add":
                ends = a + c, b + d
            case "sub":
                ends = a - d, b - c
            case _:
                products = (a * c, a * d, b * c, b * d)
                ends = min(products), max(products)
        low, high = _whole(op.results[0].type)
        return ends if low <= ends[0] and ends[1] <= high else None

    # Proofs

    def proves_inside(self, at: Operation, index: SSAValue, size: Linear, width: int = 1) -> bool:
        """Return whether `width` elements from an index on lie below a size, where an operation stands."""
        form = self.form(index)
        facts = list(self.facts(at))
        return self.is_natural(form, facts) and self.is_natural(size.plus(form, -1).plus(constant(-width)), facts)

    def is_natural(self, form: Linear, facts: list[Linear], left: int = STEPS) -> bool:
        """Return whether a form is never below 0; each of `facts` is so, too."""
        low = form.number
        for term, factor in form.terms.items():
            ends = self.range(term)
            low += factor * (ends[0] if factor > 0 else ends[1])
        if low >= 0:
            return True
        if left == 0:
            return False
        if any(self.is_natural(form.plus(fact, -1), facts, 0) for fact in facts):
            return True
        for term, factor in form.terms.items():
            rest = form.plus(Linear({term: 1}, 0), -factor)
            for bound in self._upper(term, -factor) if factor < 0 else self._lower(term, factor):
                if self.is_natural(rest.plus(bound), facts, left - 1):
                    return True
        return False

    def _lower(self, term: Term, factor: int) -> Iterator[Linear]:
        """Forms that are not above `factor` times a term, which has other ones than its number."""
        if isinstance(term, BlockArgument) and (bounds := loop_bounds(term)) is not None:
            yield constant(0).plus(self.form(bounds[0]), factor)

    def _upper(self, term: Term, factor: int) -> Iterator[Linear]:
        """Forms that are not above minus `factor` times a term: each says that the term is at most so much."""
        if isinstance(term, tuple):
            return
        if isinstance(term, BlockArgument):
            if (bounds := loop_bounds(term)) is not None:
                lower, upper, step = bounds
                distance = self.form(upper).plus(self.form(lower), -1)
                whole = step is not None and self._divides(distance, step)
                yield constant(factor * (step if whole and step is not None else 1)).plus(self.form(upper), -factor)
            return
        op = cast("Operation", term.owner)
        match VERBS.get(type(op)):
            case "smin" | "min" if all(self.range(v)[0] >= 0 for v in op.operands) or isinstance(op, arith.MinSIOp):
                for operand in op.operands:
                    yield constant(0).plus(self.form(operand), -factor)
            case "rem" if self.range(op.operands[1])[0] >= 0:
                # A remainder by 0 has trapped.
                yield constant(factor).plus(self.form(op.operands[1]), -factor)
                if self.range(op.operands[0])[0] >= 0:
                    yield constant(0).plus(self.form(op.operands[0]), -factor)
            case "div" | "sdiv" if self.range(op.operands[0])[0] >= 0 and (by := constant_of(op.operands[1]) or 0) > 0:
                times = factor // by if factor % by == 0 else factor
                yield constant(0).plus(self.form(op.operands[0]), -times)
            case _:
                return

    def _divides(self, form: Linear, step: int) -> bool:
        """Return whether a form is a multiple of a step, by its factors or because a remainder was taken away."""
        if form.number % step == 0 and all(f % step == 0 for f in form.terms.values()):
            return True
        for term in form.terms:
            op = None if isinstance(term, tuple) else term.owner
            if isinstance(op, arith.RemUIOp | arith.RemSIOp) and constant_of(op.rhs) == step:
                rest = form.plus(Linear({cast("SSAValue", term): 1}, 0)).plus(self.form(op.lhs), -1)
                return self._divides(rest, step)
        return False

    def facts(self, at: Operation) -> Iterator[Linear]:
        """What the conditions around an operation say, each as a form that is not below 0."""
        region, parent = at.parent_region(), at.parent_op()
        while parent is not None and region is not None:
            if isinstance(parent, scf.IfOp):
                yield from self._said(parent.cond, region is parent.true_region)
            elif isinstance(parent, scf.WhileOp) and region is parent.after_region:
                yield from self._of_while(parent)
            region, parent = parent.parent_region(), parent.parent_op()

    def _of_while(self, op: scf.WhileOp) -> Iterator[Linear]:
        """The condition, over what is passed on to the body."""
        leave = op.before_region.block.last_op
        if not isinstance(leave, scf.ConditionOp):
            return
        passed = dict(zip(leave.args, op.after_region.block.args, strict=True))
        for fact in self._said(leave.condition, True):
            terms = {passed.get(t, t) if isinstance(t, SSAValue) else t: f for t, f in fact.terms.items()}
            yield Linear(cast("Mapping[Term, int]", terms), fact.number)

    def _said(self, condition: SSAValue, holds: bool) -> Iterator[Linear]:
        op = condition.owner
        if isinstance(op, arith.AndIOp if holds else arith.OrIOp):
            for operand in op.operands:
                yield from self._said(operand, holds)
        if isinstance(op, arith.XOrIOp) and constant_of(op.rhs) in (1, -1):
            yield from self._said(op.lhs, not holds)
        if not isinstance(op, arith.CmpiOp):
            return
        name = _PREDICATES[op.predicate.value.data]
        name = name if holds else _OPPOSITE[name]
        a, b = op.lhs, op.rhs
        if name[1:] in ("gt", "ge"):
            a, b, name = b, a, name.replace("g", "l")
        if name == "ne" or _bits(a.type) == 1:
            return
        x, y = self.form(a), self.form(b)
        if name == "eq":
            yield from (x.plus(y, -1), y.plus(x, -1))
            return
        if name[0] == "u":
            if self.range(b)[0] < 0:
                return
            yield x
        yield y.plus(x, -1).plus(constant(-1 if name[1:] == "lt" else 0))


_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_OPPOSITE = {
    "eq": "ne", "ne": "eq", "slt": "sge", "sle": "sgt", "sgt": "sle", "sge": "slt", "ult": "uge", "ule": "ugt",
    "ugt": "ule", "uge": "ult",
}  # fmt: skip
_ID_RANGES: dict[str, tuple[int, int]] = {
    f"gpu.{name}": (0, (1 << 48) - 1)
    for name in ("thread_id", "block_id", "block_dim", "grid_dim", "global_id", "lane_id", "subgroup_id")
}


def constant_of(value: SSAValue) -> int | None:
    """The number that an integer is known to be."""
    attribute: Any = value.owner.properties.get("value") if isinstance(value.owner, arith.ConstantOp) else None
    if not isinstance(attribute, IntegerAttr):
        return None
    number = attribute.value.data
    bits = _bits(value.type)
    return number - (1 << bits) if bits > 1 and number >= 1 << (bits - 1) else number


def loop_bounds(index: BlockArgument) -> tuple[SSAValue, SSAValue, int | None] | None:
    """The lower and upper bound of a loop's index, and its step where it is known; None of what is none.

    Steps are at least 1: what they are at run time has been checked.
    """
    loop = index.block.parent_op()
    if isinstance(loop, scf.ForOp) and index.index == 0:
        # Narrow indices may wrap unless they go one by one.
        step = constant_of(loop.step)
        sure = isinstance(index.type, IndexType) or step == 1
        return (loop.lb, loop.ub, step) if sure and (step is None or step > 0) else None
    if isinstance(loop, scf.ParallelOp) and isinstance(index.block.parent, Region):
        at = index.index
        step = constant_of(loop.step[at])
        return (loop.lowerBound[at], loop.upperBound[at], step) if step is None or step > 0 else None
    return None


def _bits(type: Attribute) -> int:
    return integer_width(type) or 64


def _whole(type: Attribute) -> tuple[int, int]:
    bits = _bits(type)
    return (-1, 1) if bits == 1 else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
