"""Turns loops that schedules have marked into loops over vectors."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects import vector as xdsl_vector
from xdsl.dialects.builtin import (
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    UnitAttr,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects import marks
from hologram.dialects.arith import constant_of
from hologram.dialects.llvm import FenceOp
from hologram.dialects.verbs import Arith
from hologram.errors import UsageError
from hologram.lowering.processor.vector_body import LINE, Plan, VectorBody, element_bits, emit_together, plan_of
from hologram.lowering.rewriting.kernel_builder import PAST_CACHE
from hologram.support.host_target import host_target
from hologram.support.walking import is_within, operations

INDEX = IndexType()

LEAST_LINES = 16
"""Rows of fewer lines are written to the cache."""

UNROLLED_WORK = 512
"""A loop of known length becomes straight code up to so many operations."""

STRAIGHT = "straight"
"""In a dictionary as a mark: another number for these."""

SMALL_WORK = 12
"""A body of so few operations is worth several registers an iteration: counting costs as much as it does."""

REGISTERS = 4
"""Registers an iteration of a small body takes of each value."""


@dataclass(frozen=True)
class VectorizeLoopsPass(ModulePass):
    """Rewrites each innermost `scf.for` with the attribute `hologram.vectorize` to work on vectors.

    The attribute promises that no iteration reads or writes what another one writes. The body may load, prefetch and
    store elements that lie side by side from one iteration to the next, load what does not change, and compute with
    arith and math operations, integer division left out; a loop with anything else stays as it is, without the
    attribute.

    Where the body computes functions such as exp, elements that lie evenly apart are gathered and scattered too.

    `vector-bytes` is the width of a vector register (16, 32 or 64), by default this machine's. A vector has as many
    lanes as a register has of the widest element. What remains at the end is done by vectors with a mask where
    registers have 64 bytes, one by one else. Short loops of known length become straight code.

    A dictionary with `past_cache = N` in place of the mark's unit says more: where the memref that the loop stores to
    has over N elements, the stores are non-temporal, as are those of a row of such a memref, unless it is short or
    read again. Such loops do the elements before the first multiple of 64 bytes together with those that remain at the
    end. `straight = N` in it is the most operations of a short loop's straight code.

    The body may hold loops that run as often for each lane: what they carry along becomes vectors. Where the attribute
    is a number, so many lanes of a loop of known length run together, and accumulators of all of them are in registers.

    Before::

        scf.for %i = %lb to %ub step %c1 {
          %x = memref.load %a[%i] : memref<?xf32>
          %y = arith.mulf %x, %x : f32
          memref.store %y, %b[%i] : memref<?xf32>
        } {hologram.vectorize}

    After::

        %end = ... %lb plus the greatest multiple of 16 up to %ub - %lb
        scf.for %i = %lb to %end step %c16 {
          %x = vector.load %a[%i] : memref<?xf32>, vector<16xf32>
          %y = arith.mulf %x, %x : vector<16xf32>
          vector.store %y, %b[%i] : memref<?xf32>, vector<16xf32>
        }
        scf.for %i = %end to %ub step %c16 {
          %mask = vector.create_mask %left : vector<16xi1>
          ... the same with vector.maskedload and vector.maskedstore
        }
    """

    name = "vectorize-loops"
    vector_bytes: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.vector_bytes not in (0, 16, 32, 64):
            raise UsageError(
                "vectorize-vector-bytes",
                f"option 'vector-bytes' of vectorize-loops is 16, 32 or 64, not {self.vector_bytes}",
            )
        marked = [o for o in operations(op) if isinstance(o, scf.ForOp) and marks.VECTORIZE in o.attributes]
        vector_bytes = self.vector_bytes or (host_target().vector_bytes if marked else 0)
        for loop in marked:
            mark = loop.attributes.pop(marks.VECTORIZE)
            plan = plan_of(loop) if constant_of(loop.step) == 1 else None
            if plan is not None:
                vectorizer = Vectorizer(plan, vector_bytes, _said(mark, PAST_CACHE), _number(mark) or 0)
                vectorizer.straight = _said(mark, STRAIGHT) or UNROLLED_WORK
                vectorizer.run()


def _said(mark: Attribute, name: str) -> int | None:
    """A number in a mark that is a dictionary."""
    return _number(mark.data.get(name)) if isinstance(mark, DictionaryAttr) else None


def _number(mark: Attribute | None) -> int | None:
    return mark.value.data if isinstance(mark, IntegerAttr) else None


class Vectorizer:
    """Writes the vector form of one loop in its place."""

    def __init__(self, plan: Plan, vector_bytes: int, past_cache: int | None, at_once: int):
        self.plan = plan
        self.at_once = at_once
        self.loop = plan.loop
        self.lanes = max(vector_bytes * 8 // plan.bits, 2)
        self.wide = self.lanes * (REGISTERS if plan.work <= SMALL_WORK else 1)
        self.masks = vector_bytes == 64
        self.past_cache = past_cache
        self.straight = UNROLLED_WORK
        self.block = Block()
        """Where operations go."""
        self.constants: dict[int, arith.ConstantOp] = {}
        self.core = Arith(self._add)

    def run(self) -> None:
        """Replaces the loop."""
        lower, upper = constant_of(self.loop.lb), constant_of(self.loop.ub)
        count = max(upper - lower, 0) if lower is not None and upper is not None else None
        if lower is not None and count is not None and self._is_short(count):
            self._straight(lower, count, max(self.at_once // self.lanes, 1))
        elif self.past_cache is not None and (out := self._out()) is not None:
            self._past_cache(out, self.past_cache)
        else:
            end = self._main(self.loop.lb, self.loop.ub, self.wide)
            if count is None or count % self.wide:
                self._rest(end, self.loop.ub, self.wide)
        self._replace()

    def in_one_width(self) -> None:
        """Replaces the loop by one over whole registers, and one over what is left, element by element."""
        self.masks = False
        self._rest(self._main(self.loop.lb, self.loop.ub, self.lanes), self.loop.ub, self.lanes)
        self._replace()

    def _replace(self) -> None:
        ops = list(self.block.ops)
        for op in ops:
            op.detach()
        Rewriter.replace_op(self.loop, [*self.constants.values(), *ops], [])

    def _is_short(self, count: int) -> bool:
        """Return whether a loop of known length is worth straight code."""
        pieces = -(-count // self.lanes)
        return self.at_once > 0 or pieces == 1 or pieces * self.plan.work <= self.straight

    # Code

    def _add(self, op: Operation) -> SSAValue:
        op.location = self.loop.location
        self.block.add_op(op)
        return op.results[0]

    def _index(self, value: int) -> SSAValue:
        """A constant, made once, before all else."""
        if value not in self.constants:
            op = self.constants[value] = arith.ConstantOp(IntegerAttr(value, INDEX))
            op.location = self.loop.location
        return self.constants[value].result

    @contextmanager
    def _inside(self, block: Block) -> Generator[None]:
        """Code that goes into the body of an scf operation."""
        outer, self.block = self.block, block
        yield
        end = scf.YieldOp()
        end.location = self.loop.location
        block.add_op(end)
        self.block = outer

    @contextmanager
    def _for(self, lower: SSAValue, upper: SSAValue, step: int) -> Generator[SSAValue]:
        by = self._index(step)
        block = Block(arg_types=[INDEX])
        block.args[0].name_hint = self.loop.body.block.args[0].name_hint
        with self._inside(block):
            yield block.args[0]
        loop = scf.ForOp(lower, upper, by, [], Region(block))
        loop.location = self.loop.location
        self.block.add_op(loop)

    def _body(self, lanes: int, index: SSAValue, mask: SSAValue | None = None) -> None:
        VectorBody(self.plan, lanes, self.block, mask).emit(index)

    def _scalar(self, index: SSAValue) -> None:
        """One iteration as it is."""
        values: dict[SSAValue, SSAValue] = {self.loop.body.block.args[0]: index}
        for op, _ in self.plan.roles:
            new = op.clone(values)
            new.location = op.location
            self.block.add_op(new)

    # Loops of known length

    def _straight(self, lower: int, count: int, together: int) -> None:
        """Full vectors, so many together, then ever smaller ones."""
        at, end, lanes = lower, lower + count, self.lanes
        while at < end:
            while lanes > end - at:
                lanes //= 2
            if together * lanes > end - at:
                together = 1
            index = self._index(at)
            if together > 1:
                bodies = [VectorBody(self.plan, lanes, self.block) for _ in range(together)]
                emit_together(bodies, [self._index(at + n * lanes) for n in range(together)])
            elif lanes == 1:
                self._scalar(index)
            else:
                self._body(lanes, index)
            at += together * lanes

    # Other loops

    def _main(self, lower: SSAValue, upper: SSAValue, lanes: int) -> SSAValue:
        """A loop over as many full vectors as there are; gives where it ends."""
        end = self._whole(lower, upper, lanes)
        with self._for(lower, end, lanes) as index:
            self._body(lanes, index)
        return end

    def _whole(self, lower: SSAValue, upper: SSAValue, lanes: int) -> SSAValue:
        """Emit the index at which the last full vector ends."""
        span = self.core.smax(self.core.sub(upper, lower), self._index(0))
        full = self.core.sub(span, self.core.rem(span, self._index(lanes)))
        return self.core.add(lower, full)

    def _rest(self, lower: SSAValue, upper: SSAValue, wide: int) -> None:
        """Fewer elements than the `wide` that the main loop takes at once."""
        if self.masks:
            with self._for(lower, upper, self.lanes) as index:
                left = self.core.sub(upper, index)
                mask = self._add(xdsl_vector.CreateMaskOp([left], VectorType(i1, [self.lanes])))
                self._body(self.lanes, index, mask)
            return
        if wide > self.lanes:
            lower = self._main(lower, upper, self.lanes)
        # Counted from 0 to a bound that says how few there are, so that LLVM leaves the loop alone.
        few = self.core.smin(self.core.sub(upper, lower), self._index(self.lanes - 1))
        with self._for(self._index(0), few, 1) as number:
            self._scalar(self.core.add(lower, number))

    # Past the cache

    def _out(self) -> memref.StoreOp | None:
        """The only store, if it goes to neighbours in a dense memref that nothing reads: one by one from the memref's
        start, or in a row of it."""
        if len(self.plan.stores) != 1:
            return None
        (store,) = self.plan.stores
        *outer, last = store.indices
        dense = isinstance(cast("MemRefType[Attribute]", store.memref.type).layout, NoneAttr)
        if not dense or last is not self.loop.body.block.args[0] or any(is_within(i, self.loop) for i in outer):
            return None
        loads = [op for op, _ in self.plan.all_roles if isinstance(op, memref.LoadOp)]
        if outer:
            # What the same iteration of a loop around reads again shall be in the cache.
            loads += [use.operation for use in store.memref.uses if isinstance(use.operation, memref.LoadOp)]
        return None if any(o.memref is store.memref for o in loads) else store

    def _past_cache(self, out: memref.StoreOp, limit: int) -> None:
        """Two forms of the main loop; what is before and behind it last."""
        lower, upper = self.loop.lb, self.loop.ub
        zero = self._index(0)
        far = self._is_far(out, limit)
        start = self.core.select(far, self._line(out), lower)
        # Elements that are narrower than others of the body fill a line together, as far as registers go.
        line = min(LINE * 8 // element_bits(out.value.type), self.lanes * REGISTERS)
        wide = max(self.wide, line)
        end = self._whole(start, upper, wide)
        yes, no = Block(), Block()
        with self._inside(yes), self._for(start, end, wide) as index:
            VectorBody(self.plan, wide, self.block).emit(index, past_cache=max(self.lanes, line))
        with self._inside(no), self._for(start, end, wide) as index:
            self._body(wide, index)
        # Such stores wait for no other; whoever is told that the loop is done must see them.
        assert yes.last_op is not None
        fence = FenceOp("seq_cst")
        fence.attributes[marks.STREAMS] = UnitAttr()
        yes.insert_op_before(fence, yes.last_op)
        self.block.add_op(scf.IfOp(far, [], Region(yes), Region(no)))
        with self._for(zero, self._index(2), 1) as number:
            first = self.core.compare("eq", number, zero)
            low, high = (self.core.select(first, *v) for v in ((lower, end), (start, upper)))
            self._rest(low, high, wide)

    def _is_far(self, out: memref.StoreOp, limit: int) -> SSAValue:
        """Return whether the memref has more elements than the limit; a row must be worth the way to its first line
        too."""
        sizes = [self._add(memref.DimOp(out.memref, self._index(axis))) for axis in range(len(out.indices))]
        total = sizes[0]
        for size in sizes[1:]:
            total = self.core.mul(total, size)
        far = self.core.compare("ugt", total, self._index(limit))
        if len(sizes) == 1:
            return far
        length = self.core.sub(self.loop.ub, self.loop.lb)
        least = LEAST_LINES * LINE * 8 // element_bits(out.value.type)
        return self.core.both(far, self.core.compare("sge", length, self._index(least)))

    def _line(self, out: memref.StoreOp) -> SSAValue:
        """The first index at whose element a line begins, or the loop's end."""
        lower, upper = self.loop.lb, self.loop.ub
        size = element_bits(out.value.type) // 8
        base = self._add(memref.ExtractAlignedPointerAsIndexOp.get(out.memref))
        place = self.core.mul(self._linear(out), self._index(size))
        missing = self.core.rem(self.core.sub(self._index(0), self.core.add(base, place)), self._index(LINE))
        first = self.core.add(lower, self.core.div(missing, self._index(size)))
        return self.core.smin(first, self.core.smax(lower, upper))

    def _linear(self, out: memref.StoreOp) -> SSAValue:
        """The row-major number of the first element that the loop stores."""
        *outer, _ = out.indices
        place: SSAValue | None = None
        for axis, index in enumerate([*outer, self.loop.lb]):
            if place is not None:
                size = self._add(memref.DimOp(out.memref, self._index(axis)))
                index = self.core.add(self.core.mul(place, size), index)
            place = index
        assert place is not None
        return place
