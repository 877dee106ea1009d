"""Finds the values of a kernel that are the same for every lane of a block, and what can therefore run once for it.

The analysis starts from "everything is uniform" and takes away until nothing changes: thread ids, results of
operations with effects, and whatever depends on them. Only operations on the kernel's convergent level count: the body
of the kernel and the regions of operations that contain a barrier, recursively. Everything else belongs to one lane.

An operation on that level with uniform operands is one of

* hoistable: no effect and never undefined, so it may run anywhere before its use;
* anchored: it reads memory, or may be undefined (a division). It can run once for the block, but only at its place,
  which splits the lanes' work there. That is done only for what decides whether a barrier is reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import memref, scf
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import (
    IsTerminator,
)

from hologram.dialects import gpu
from hologram.support.walking import operations
from hologram.transforms.analysis.effects import DIVISIONS, divides_safely, is_anchored, is_hoistable

UNIFORM_IDS = (
    gpu.BlockIdOp,
    gpu.BlockDimOp,
    gpu.GridDimOp,
    gpu.DynamicSharedMemoryOp,
    gpu.SubgroupSizeOp,
    gpu.NumSubgroupsOp,
)
LANE_IDS = (gpu.ThreadIdOp, gpu.GlobalIdOp, gpu.LaneIdOp, gpu.SubgroupIdOp)


def captured(op: Operation) -> list[SSAValue]:
    """The values `op` uses from outside of it: its operands, then what its regions capture; each once, in order."""
    used = dict.fromkeys(op.operands)
    if not op.regions:
        return list(used)
    inside = set[SSAValue]()
    for region in op.regions:
        for block in region.blocks:
            _captured_by_block(block, inside, used)
    return [value for value in used if value not in inside]


def _captured_by_block(block: Block, inside: set[SSAValue], used: dict[SSAValue, None]) -> None:
    inside.update(block.args)
    for op in (nested for outer in block.ops for nested in operations(outer)):
        inside.update(op.results)
        for region in op.regions:
            for nested in region.blocks:
                inside.update(nested.args)
        used.update(dict.fromkeys(op.operands))


def has_barrier(op: Operation) -> bool:
    """Return whether `op` is a barrier or holds one."""
    return any(isinstance(nested, gpu.BarrierOp) for nested in operations(op))


def is_shared_buffer(op: Operation) -> bool:
    """Return whether `op` declares a buffer that the lanes of a block share."""
    return isinstance(op, memref.AllocaOp) and op.memref.type.memory_space == gpu.WORKGROUP


def _reads_lane_id(op: Operation) -> bool:
    return any(isinstance(nested, LANE_IDS) for nested in operations(op))


def terminator(region: Region) -> Operation:
    """The last operation of a region of one block."""
    last = region.block.last_op
    assert last is not None
    return last


def flows(op: Operation) -> Iterator[tuple[SSAValue, Sequence[SSAValue]]]:
    """Yield each value that an scf.for, scf.if or scf.while defines, with the values that flow into it."""
    match op:
        case scf.ForOp():
            yield op.body.block.args[0], (op.lb, op.ub, op.step)
            yields = terminator(op.body).operands
            for arg, result, init, last in zip(op.body.block.args[1:], op.res, op.iter_args, yields, strict=True):
                yield arg, (init, last, op.lb, op.ub, op.step)
                yield result, (arg,)
        case scf.IfOp():
            if op.results:
                ends = zip(terminator(op.true_region).operands, terminator(op.false_region).operands, strict=True)
                for result, (then, other) in zip(op.results, ends, strict=True):
                    yield result, (then, other, op.cond)
        case scf.WhileOp():
            condition = terminator(op.before_region)
            yields = terminator(op.after_region).operands
            for arg, init, last in zip(op.before_region.block.args, op.arguments, yields, strict=True):
                yield arg, (init, last, condition.operands[0])
            for arg, result, source in zip(op.after_region.block.args, op.res, condition.operands[1:], strict=True):
                yield arg, (source, condition.operands[0])
                yield result, (source, condition.operands[0])
        case _:
            pass


def decisions(op: Operation) -> Sequence[SSAValue]:
    """The values that decide whether, and how often, the regions of an scf.for, scf.if or scf.while run."""
    match op:
        case scf.ForOp():
            return (op.lb, op.ub, op.step)
        case scf.IfOp():
            return (op.cond,)
        case scf.WhileOp():
            return terminator(op.before_region).operands[:1]
        case _:
            return ()


@dataclass
class Uniformity:
    """The result of the analysis of one kernel body."""

    body: Block
    level: list[Operation] = field(default_factory=list[Operation])
    """The operations of the convergent level, in order, those with such regions before their contents."""
    controls: set[Operation] = field(default_factory=set[Operation])
    """Those of them whose regions belong to the level: they hold barriers, decide about barriers, or have rows."""
    anchors: set[Operation] = field(default_factory=set[Operation])
    """The anchored operations that run once for the block."""
    lane_values: set[SSAValue] = field(default_factory=set[SSAValue])
    """The values that may differ between lanes."""

    def __post_init__(self) -> None:
        holders = self._around_barriers()
        # First every loop and branch counts, to see what could be uniform; then only those that matter to barriers.
        self._start(
            holders | {op for op in operations(self.body) if isinstance(op, (scf.ForOp, scf.IfOp, scf.WhileOp))}
        )
        self.anchors = {op for op in self.level if op not in self.controls and is_anchored(op)}
        self._settle()
        holders |= self._rows(holders)
        needed, controls = self._needed(holders)
        self._start(holders | controls)
        self.anchors = needed
        self._settle()

    def is_uniform(self, value: SSAValue) -> bool:
        """Return whether all lanes of a block have the same `value`."""
        return value not in self.lane_values

    def runs_once(self, op: Operation) -> bool:
        """Return whether `op`, of the convergent level, is computed once for the block."""
        if op in self.controls or op.has_trait(IsTerminator):
            return False
        return bool(op.results) and self.is_uniform(op.results[0])

    def _around_barriers(self) -> set[Operation]:
        """The operations of the body that hold barriers."""
        top, holders = self.body.parent_op(), set[Operation]()
        for op in (nested for outer in self.body.ops for nested in operations(outer)):
            around = op.parent_op() if isinstance(op, gpu.BarrierOp) else None
            while around is not None and around is not top and around not in holders:
                holders.add(around)
                around = around.parent_op()
        return holders

    def _start(self, controls: set[Operation]) -> None:
        self.controls = set[Operation]()
        self.level = []
        self._collect(self.body, controls)

    def _collect(self, block: Block, controls: set[Operation]) -> None:
        for op in block.ops:
            self.level.append(op)
            if op in controls:
                self.controls.add(op)
                for region in op.regions:
                    for nested in region.blocks:
                        self._collect(nested, controls)

    def _settle(self) -> None:
        """Grows `lane_values` from nothing to the fixed point, under the current choice of controls and anchors."""
        self.lane_values = set[SSAValue]()
        before = -1
        while before != len(self.lane_values):
            before = len(self.lane_values)
            for op in self.level:
                self._visit(op)

    def _visit(self, op: Operation) -> None:
        if op in self.controls:
            for target, sources in flows(op):
                if not self.lane_values.isdisjoint(sources):
                    self.lane_values.add(target)
        elif op.results and op.results[0] not in self.lane_values and not self._may_run_once(op):
            self.lane_values.update(op.results)

    def _may_run_once(self, op: Operation) -> bool:
        if isinstance(op, UNIFORM_IDS) or is_shared_buffer(op):
            return True
        if _reads_lane_id(op) or not (is_hoistable(op) or op in self.anchors):
            return False
        return self.lane_values.isdisjoint(captured(op))

    def _rows(self, holders: set[Operation]) -> set[Operation]:
        """Loops that all lanes run as often, with quotients of lanes' numbers: in one iteration all lanes may have the
        same, as they are in one row of an array, and hardly in all iterations."""
        loops = set[Operation]()
        for op in self.level:
            if op.name not in DIVISIONS or self.is_uniform(op.operands[0]) or not self.is_uniform(op.operands[1]):
                continue
            loop = op.parent_op()
            while isinstance(loop, scf.IfOp) and loop not in holders:
                loop = loop.parent_op()
            if not isinstance(loop, scf.ForOp) or loop in holders or divides_safely(op):
                continue
            placed = loop.parent_block() is self.body or loop.parent_op() in holders
            if placed and all(self.is_uniform(v) for v in decisions(loop)):
                loops.add(loop)
        return loops

    def _needed(self, holders: set[Operation]) -> tuple[set[Operation], set[Operation]]:
        """Return what uniform decisions about barriers depend on: anchored operations, and loops and branches to
        split."""
        sources = {target: (op, values) for op in self.controls for target, values in flows(op)}
        work = [value for op in holders for value in decisions(op) if self.is_uniform(value)]
        seen = set[SSAValue]()
        anchors = set[Operation]()
        controls = set[Operation]()
        while work:
            value = work.pop()
            if value in seen:
                continue
            seen.add(value)
            op, values = sources.get(value, (value.owner, ()))
            if not isinstance(op, Operation):
                continue
            if op in self.controls and (op in holders or not self._whole(op)):
                controls.add(op)
                work += values
            else:
                if not is_hoistable(op):
                    anchors.add(op)
                work += captured(op)
        return anchors, controls

    def _whole(self, op: Operation) -> bool:
        """Return whether a loop or branch could run once for the block as it is."""
        if _reads_lane_id(op) or not (is_hoistable(op) or is_anchored(op)):
            return False
        return self.lane_values.isdisjoint(captured(op))
