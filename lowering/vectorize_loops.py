"""Turns loops that schedules have marked into loops over vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects import vector as xdsl_vector
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, VectorType, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.errors import UsageError
from hologram.lowering.emit.native import host_target
from hologram.lowering.schedules.builder import VECTORIZE
from hologram.lowering.vector_body import Plan, VectorBody, constant_of, plan_of

INDEX = IndexType()

UNROLLED_WORK = 512
"""A loop of known length becomes straight code up to so many operations."""

SMALL_WORK = 12
"""A body of so few operations is worth several registers an iteration: counting costs as much as it does."""

REGISTERS = 4
"""Registers an iteration of a small body takes of each value."""


@dataclass(frozen=True)
class VectorizeLoopsPass(ModulePass):
    """Rewrites each innermost `scf.for` with the attribute `hologram.vectorize` to work on vectors.

    The attribute promises that no iteration reads or writes what another one writes. The body may load and store
    elements that lie side by side from one iteration to the next, load what does not change, and compute with arith and
    math operations, integer division left out; a loop with anything else stays as it is, without the attribute.

    `vector-bytes` is the width of a vector register (16, 32 or 64), by default this machine's. A vector has as many
    lanes as a register has of the widest element. What remains at the end is done by vectors with a mask where
    registers have 64 bytes, one by one else. Short loops of known length become straight code.

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
        marked = [o for o in op.walk() if isinstance(o, scf.ForOp) and VECTORIZE in o.attributes]
        vector_bytes = self.vector_bytes or (host_target().vector_bytes if marked else 0)
        for loop in marked:
            del loop.attributes[VECTORIZE]
            plan = plan_of(loop) if constant_of(loop.step) == 1 else None
            if plan is not None:
                _Vectorizer(plan, vector_bytes).run()


class _Vectorizer:
    """Writes the vector form of one loop in front of it, and removes the loop or leaves it the rest."""

    def __init__(self, plan: Plan, vector_bytes: int):
        self.plan = plan
        self.loop = plan.loop
        self.lanes = max(vector_bytes * 8 // plan.bits, 2)
        self.masks = vector_bytes == 64
        self.before = Block()

    def run(self) -> None:
        lower, upper = constant_of(self.loop.lb), constant_of(self.loop.ub)
        if lower is not None and upper is not None:
            count = max(upper - lower, 0)
            if -(-count // self.lanes) * self.plan.work <= UNROLLED_WORK:
                self._straight(lower, count)
                return self._finish(keep=False)
        self._loops()

    def _finish(self, *, keep: bool) -> None:
        ops = list(self.before.ops)
        for op in ops:
            op.detach()
        Rewriter.insert_op(ops, InsertPoint.before(self.loop))
        if not keep:
            Rewriter.erase_op(self.loop)

    # Code

    def _add(self, op: Operation) -> SSAValue:
        op.location = self.loop.location
        self.before.add_op(op)
        return op.results[0]

    def _index(self, value: int) -> SSAValue:
        return self._add(arith.ConstantOp(IntegerAttr(value, INDEX)))

    def _for(self, lower: SSAValue, upper: SSAValue, step: int, body: Callable[[Block, SSAValue], None]) -> None:
        block = Block(arg_types=[INDEX])
        block.args[0].name_hint = self.loop.body.block.args[0].name_hint
        body(block, block.args[0])
        block.add_op(scf.YieldOp())
        loop = scf.ForOp(lower, upper, self._index(step), [], Region(block))
        loop.location = self.loop.location
        self.before.add_op(loop)

    # Loops of known length

    def _straight(self, lower: int, count: int) -> None:
        """Full vectors, then ever smaller ones."""
        at, end, lanes = lower, lower + count, self.lanes
        while at < end:
            while lanes > end - at:
                lanes //= 2
            index = self._index(at)
            if lanes == 1:
                self._scalar(index)
            else:
                VectorBody(self.plan, lanes, self.before).emit(index)
            at += lanes

    def _scalar(self, index: SSAValue) -> None:
        """One iteration as it is."""
        values: dict[SSAValue, SSAValue] = {self.loop.body.block.args[0]: index}
        for op, _ in self.plan.roles:
            new = op.clone(values)
            new.location = op.location
            self.before.add_op(new)

    # Other loops

    def _loops(self) -> None:
        """Groups of registers, then single ones or elements."""
        lower, upper = self.loop.lb, self.loop.ub
        wide = self.lanes * (REGISTERS if self.plan.work <= SMALL_WORK else 1)
        middle = self._main(lower, upper, wide)
        if self.masks:
            self._for(middle, upper, self.lanes, self._masked)
            return self._finish(keep=False)
        if wide > self.lanes:
            middle = self._main(middle, upper, self.lanes)
        self._rest(middle)
        self._finish(keep=True)

    def _main(self, lower: SSAValue, upper: SSAValue, lanes: int) -> SSAValue:
        """A loop over as many full vectors as there are; gives where it ends."""
        span = self._add(arith.MaxSIOp(self._add(arith.SubiOp(upper, lower)), self._index(0)))
        full = self._add(arith.SubiOp(span, self._add(arith.RemUIOp(span, self._index(lanes)))))
        end = self._add(arith.AddiOp(lower, full))
        self._for(lower, end, lanes, lambda block, index: VectorBody(self.plan, lanes, block).emit(index))
        return end

    def _masked(self, block: Block, index: SSAValue) -> None:
        left = arith.SubiOp(self.loop.ub, index)
        mask = xdsl_vector.CreateMaskOp([left.result], VectorType(i1, [self.lanes]))
        for op in (left, mask):
            op.location = self.loop.location
            block.add_op(op)
        VectorBody(self.plan, self.lanes, block, mask.mask_vector).emit(index)

    def _rest(self, start: SSAValue) -> None:
        """The loop itself from `start` on, counted from 0, so that LLVM sees how short it is."""
        left = self._add(arith.SubiOp(self.loop.ub, start))
        bound = self._add(arith.MinSIOp(left, self._index(self.lanes - 1)))
        zero = self._index(0)
        block = self.loop.body.block
        counter = block.args[0]
        index = arith.AddiOp(start, counter)
        index.location = self.loop.location
        counter.replace_uses_with_if(index.result, lambda use: True)
        Rewriter.insert_op(index, InsertPoint.at_start(block))
        index.operands[0], index.operands[1] = start, counter
        self.loop.operands[0], self.loop.operands[1] = zero, bound


__all__ = ["VectorizeLoopsPass"]
