"""What the guards of all operations share: proofs, conditions, checks that trap, and refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, memref, scf, tensor, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, MemRefType, TensorType, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.layouts import Layout, layout_of
from hologram.dialects.memref import GenericAtomicRMWOp
from hologram.dialects.op_builder import OpBuilder
from hologram.errors import PassError
from hologram.support.registry import Registry
from hologram.support.walking import enclosing, is_within
from hologram.transforms.analysis.index_bounds import IndexBounds, Linear, constant_of, loop_bounds
from hologram.transforms.guards.lifetimes import Memory
from hologram.transforms.guards.refusals import FLAG

INDEX = IndexType()


def memref_type(value: SSAValue) -> MemRefType[Attribute]:
    """The type of a memref."""
    return cast("MemRefType[Attribute]", value.type)


@dataclass
class Guards:
    """The guards of a module as they are made."""

    memory: Memory
    bounds: IndexBounds = field(default_factory=IndexBounds)
    known: dict[Any, list[Block]] = field(default_factory=dict[Any, list[Block]])
    """The checks that there are, by what they say, and the blocks that they are in."""
    stack: int = 0
    """The bytes of the stack that are taken."""
    globals: int = 0
    """The bytes of globals without a value."""
    proven: int = 0
    guarded: int = 0

    def layout(self, op: Operation, value: SSAValue) -> Layout:
        """The layout of a memref, which must be a strided one."""
        kind = value.type
        layout = layout_of(memref_type(value)) if isinstance(value.type, MemRefType) else None
        if layout is None:
            raise PassError(
                op, "guard-layout", f"'{op.name}' is on a {kind}, whose layout has no strides to check", hint=FLAG
            )
        return layout

    def check(self, at: OpBuilder, holds: SSAValue, text: str, *values: SSAValue) -> None:
        """Traps unless a condition holds. The text has a pair of braces for each value."""
        if enclosing(at.source, GenericAtomicRMWOp) is not None:
            message = f"'{at.source.name}' may trap, which what 'memref.generic_atomic_rmw' repeats must not"
            raise PassError(at.source, "guard-atomic-body", message, hint="compute it before the operation")
        self.guarded += 1
        at.emit(AssertOp(holds, text, None, values))

    def said_before(self, op: Operation, key: Any) -> bool:
        """Return whether a check that says the same always comes before an operation; else remembers this one.

        What is checked before a loop for all its iterations is known in its body alone: a loop that does not run checks
        nothing.
        """
        block, around = op.parent_block(), set[Block]()
        while block is not None:
            around.add(block)
            parent = block.parent_op()
            block = None if parent is None else parent.parent_block()
        blocks = self.known.setdefault(key, [])
        if any(known in around for known in blocks):
            return True
        block = op.parent_block()
        assert block is not None
        blocks.append(block)
        return False

    def size(self, at: OpBuilder, value: SSAValue, axis: int) -> SSAValue:
        """Emits the size of a memref or tensor along an axis."""
        number = self.bounds.size(value, axis)
        if not number.terms:
            return at.index(number.number)
        dim = tensor.DimOp if isinstance(value.type, TensorType) else memref.DimOp
        return at.op(dim(value, at.index(axis)))

    def inside(self, op: Operation, value: SSAValue, axis: int, index: SSAValue, width: int = 1) -> None:
        """Guards `width` elements from an index on along an axis, unless they are proven to be there."""
        size = self.bounds.size(value, axis)
        if self.bounds.proves_inside(op, index, size, width):
            self.proven += 1
            return
        key = size.key, self.bounds.form(index).key, width
        loop = self.loop_of(op, value, index)
        if self.said_before(op, key):
            return
        if loop is not None:
            return self._inside_all(op, loop, value, axis, index, width)
        at = OpBuilder(op)
        limit = self.size(at, value, axis)
        if width == 1:
            fits = at.core.compare("ult", index, limit)
        else:
            last = at.core.sub(limit, at.index(width))
            fits = at.core.both(at.core.compare("sge", index, at.index(0)), at.core.compare("sle", index, last))
        self._check_range(at, op, fits, index, limit, axis, width)

    def loop_of(self, op: Operation, value: SSAValue, index: SSAValue) -> scf.ForOp | None:
        """The loop before which all its accesses by an index can be checked at once.

        Each iteration makes the access, so that one traps if the first or the last is out of range: the index is a
        constant away from the loop's own, or the same in all iterations.
        """
        loop = op.parent_op()
        if not isinstance(loop, scf.ForOp) or is_within(value, loop) or loop_bounds(loop.body.block.args[0]) is None:
            return None
        own = loop.body.block.args[0]
        others = [t[0] if isinstance(t, tuple) else t for t in self.form(index).terms if t is not own]
        factor = self.form(index).terms.get(own, 0)
        steps = constant_of(loop.step) is not None and isinstance(own.type, IndexType)
        return loop if steps and factor in (0, 1) and not any(is_within(v, loop) for v in others) else None

    def _inside_all(
        self, op: Operation, loop: scf.ForOp, value: SSAValue, axis: int, index: SSAValue, width: int
    ) -> None:
        """Guards an access in all iterations of a loop, before it."""
        at = OpBuilder(loop, op)
        core, own, step = at.core, loop.body.block.args[0], constant_of(loop.step) or 1
        rest = self._emitted(at, self.form(index).plus(Linear({own: 1}, 0), -self.form(index).terms.get(own, 0)))
        first = last = rest
        if own in self.form(index).terms:
            end = core.sub(loop.ub, at.index(1))
            if step > 1:
                end = core.sub(end, core.rem(core.sub(end, loop.lb), at.index(step)))
            first, last = core.add(loop.lb, rest), core.add(end, rest)
        limit = self.size(at, value, axis)
        fits = core.both(
            core.compare("sge", first, at.index(0)), core.compare("sle", last, core.sub(limit, at.index(width)))
        )
        fits = core.either(fits, core.compare("sge", loop.lb, loop.ub))
        # The first one that is out of range, of those that go one by one.
        culprit = core.select(core.compare("slt", first, at.index(0)), first, last)
        if step == 1 and width == 1:
            culprit = core.select(core.compare("slt", first, at.index(0)), first, core.smax(first, limit))
        self._check_range(at, op, fits, culprit, limit, axis, width)

    def _emitted(self, at: OpBuilder, form: Linear) -> SSAValue:
        """Emits the value of a form."""
        total = at.index(form.number)
        for term, factor in form.terms.items():
            number = self.size(at, *term) if isinstance(term, tuple) else term
            if number.type != INDEX:
                number = at.core.index_cast(number, INDEX)
            total = at.core.add(total, number if factor == 1 else at.core.mul(number, at.index(factor)))
        return total

    def _check_range(
        self, at: OpBuilder, op: Operation, fits: SSAValue, index: SSAValue, limit: SSAValue, axis: int, width: int
    ) -> None:
        access: Any = op
        value = next(v for v in access.operands if isinstance(v.type, MemRefType | TensorType))
        along = f" along axis {axis}" if len(memref_type(value).get_shape()) > 1 else ""
        what = "index {} is" if width == 1 else f"{width} elements from index {{}} on are"
        self.check(at, fits, f"{op.name}: {what} out of range for size {{}}{along}", index, limit)

    def natural(self, op: Operation, value: SSAValue, text: str) -> None:
        """Traps unless an integer is at least 0."""
        if self.bounds.is_natural(self.bounds.form(value), list(self.bounds.facts(op))):
            return
        at = OpBuilder(op)
        self.check(at, at.core.compare("sge", value, at.core.constant(0, value.type)), text, value)

    def equal(self, op: Operation, a: tuple[SSAValue, int], b: tuple[SSAValue, int], text: str) -> None:
        """Traps unless two memrefs have the same size along an axis of each."""
        x, y = self.bounds.size(*a), self.bounds.size(*b)
        if x.key == y.key:
            return
        at = OpBuilder(op)
        sizes = self.size(at, *a), self.size(at, *b)
        self.check(at, at.core.compare("eq", *sizes), text, *sizes)

    def mixed(self, op: Operation, static: Sequence[int], dynamic: Sequence[SSAValue], at: OpBuilder) -> list[SSAValue]:
        """The sizes, offsets or strides of an operation as values."""
        given = iter(dynamic)
        return [next(given) if n == DYNAMIC_INDEX else at.index(n) for n in static]

    def form(self, value: SSAValue) -> Linear:
        """The linear form of an index."""
        return self.bounds.form(value)

    def both(self, at: OpBuilder, conditions: Sequence[SSAValue | bool]) -> SSAValue | bool:
        """Emits whether all conditions hold; those that are known fold."""
        left = [c for c in conditions if not isinstance(c, bool)]
        if not all(c for c in conditions if isinstance(c, bool)):
            return False
        if not left:
            return True
        result = left[0]
        for condition in left[1:]:
            result = at.core.both(result, condition)
        return result

    def at_most(self, at: OpBuilder, a: SSAValue, b: SSAValue, predicate: str = "sle") -> SSAValue | bool:
        """Emits whether an index is at most another one, which may be known."""
        x, y = self.form(a), self.form(b)
        if not x.terms and not y.terms:
            return x.number <= y.number
        if predicate == "sle" and self.bounds.is_natural(y.plus(x, -1), []):
            return True
        return at.core.compare(predicate, a, b)

    def demand(self, at: OpBuilder, holds: SSAValue | bool, text: str, *values: SSAValue) -> None:
        """Traps unless a condition holds that may be known."""
        if holds is True:
            self.proven += 1
            return
        condition = at.op(arith.ConstantOp(IntegerAttr(0, 1))) if isinstance(holds, bool) else holds
        self.check(at, condition, text, *values)


def none_of(at: OpBuilder, bits: SSAValue) -> SSAValue:
    """Emits whether no element of a mask is set."""
    kind = vector.CombiningKindAttr(vector.CombiningKindFlag.OR)
    properties = {"kind": kind, "fastmath": arith.FastMathFlagsAttr("none")}
    op = vector.ReductionOp.create(operands=[bits], result_types=[i1], properties=properties)
    return at.core.complement(at.op(op))


Guard: TypeAlias = Callable[[Guards, Any], None]
GUARDS = Registry[Guard]()
"""What guards each operation, by its class or name: checks are put before it, or it is replaced."""
