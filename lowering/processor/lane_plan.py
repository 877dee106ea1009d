"""Splits the body of a kernel at its barriers: what runs once for a block, and what runs in a loop over its lanes.

A segment is a run of operations between two barriers; it becomes one loop over the lanes. A value that one segment
defines and another uses is either computed again there (cheap arithmetic on thread ids and uniform values, views of
buffers), or kept in an array with an element for each lane. Values that a loop or branch around a barrier carries are
kept in such arrays too, written by moves at the end of a segment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects import cf, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator, is_side_effect_free

from hologram.dialects import gpu
from hologram.dialects.shapes import is_dense_layout
from hologram.errors import PassError, where_of
from hologram.support.walking import operations
from hologram.transforms.analysis.effects import DIVISIONS
from hologram.transforms.analysis.uniformity import (
    LANE_IDS,
    Uniformity,
    captured,
    decisions,
    has_barrier,
    is_shared_buffer,
)

RECOMPUTED_OPS = 8
"""The most operations that are computed again in another segment to save an array."""


@dataclass
class Segment:
    """Operations that every lane runs between two barriers, and then the moves (array of the first := second)."""

    ops: list[Operation] = field(default_factory=list[Operation])
    moves: list[tuple[SSAValue, SSAValue]] = field(default_factory=list[tuple[SSAValue, SSAValue]])


@dataclass
class Once:
    """An operation that runs once for the block."""

    op: Operation


@dataclass
class Control:
    """A loop or branch with barriers inside, run once for the block, and the nodes of each of its regions."""

    op: scf.ForOp | scf.IfOp | scf.WhileOp
    regions: list[list[Node]]


Node = Segment | Once | Control


def segments(nodes: Sequence[Node]) -> Iterator[Segment]:
    """All segments among `nodes`, nested ones included."""
    for node in nodes:
        if isinstance(node, Segment):
            yield node
        elif isinstance(node, Control):
            for region in node.regions:
                yield from segments(region)


class Plan:
    """The parts that one kernel body is split into. Raises for a barrier that is not reached by all lanes alike."""

    def __init__(self, body: Block):
        self.uniformity = Uniformity(body)
        self.homes: dict[SSAValue, SSAValue] = {}
        """For each lane value that a loop or branch around a barrier defines: the value whose array holds it."""
        self.spilled: dict[SSAValue, None] = {}
        """The values that are kept in an array with an element for each lane."""
        self.private: dict[SSAValue, None] = {}
        """The lane's own buffers that live across a barrier, loaded and stored by element only."""
        self.viewed: dict[SSAValue, None] = {}
        """The others of them: each lane has a view of its part of one buffer."""
        self._segment_of: dict[Operation, Segment] = {}
        self._costs: dict[Operation, int | None] = {}
        self._check_shared(body)
        self.nodes = self._split(body)
        for segment in segments(self.nodes):
            self._find_spills(segment)
        self.kept = {**self.private, **self.viewed}
        """The lane's own buffers that live across a barrier."""

    def _check_shared(self, body: Block) -> None:
        level = set(self.uniformity.level)
        for op in operations(body):
            if is_shared_buffer(op) and op not in level:
                raise PassError(
                    op,
                    "gpu-shared-in-lane",
                    "a buffer that the lanes of a block share is declared where single lanes come",
                    hint="declare it in the kernel's body, or as a workgroup attribution",
                )

    # Splitting

    def _split(self, block: Block) -> list[Node]:
        nodes: list[Node] = []
        current = Segment()
        for op in block.ops:
            if op.has_trait(IsTerminator):
                current.moves += self._moves_at_end(block, op)
            elif isinstance(op, gpu.BarrierOp):
                current = self._close(nodes, current)
            elif op in self.uniformity.controls:
                control = self._check(op)
                current.moves += self._moves_before(control)
                current = self._close(nodes, current)
                nodes.append(self._control(control))
            elif op in self.uniformity.anchors or (self._asserts_once(op) and not self._does_something(current)):
                current = self._close(nodes, current)
                nodes.append(Once(op))
            elif self.uniformity.runs_once(op):
                nodes.append(Once(op))
            else:
                current.ops.append(op)
                self._segment_of[op] = current
        self._close(nodes, current)
        return nodes

    def _close(self, nodes: list[Node], segment: Segment) -> Segment:
        if segment.ops or segment.moves:
            nodes.append(segment)
        return Segment()

    def _asserts_once(self, op: Operation) -> bool:
        return isinstance(op, cf.AssertOp) and self.uniformity.is_uniform(op.arg)

    def _does_something(self, segment: Segment) -> bool:
        return any(not self.is_recomputed(op) for op in segment.ops)

    def _check(self, op: Operation) -> scf.ForOp | scf.IfOp | scf.WhileOp:
        if not isinstance(op, (scf.ForOp, scf.IfOp, scf.WhileOp)):
            raise PassError(
                _first_barrier(op),
                "gpu-barrier-in-op",
                f"the barrier is inside a {op.name}, which can't be split at it",
                hint="barriers may be inside scf.for, scf.if and scf.while",
            )
        for value in decisions(op):
            if not self.uniformity.is_uniform(value):
                where = where_of(op)
                place = f" at line {where.line}" if where is not None else ""
                what = {scf.IfOp: "condition", scf.ForOp: "bounds", scf.WhileOp: "condition"}[type(op)]
                raise PassError(
                    _first_barrier(op),
                    "gpu-barrier-divergent",
                    f"the barrier is not reached by all lanes alike: the {what} of the {op.name}{place} may differ "
                    "between the lanes of a block",
                    hint="move the barrier out, or decide by what all lanes of a block share: block ids, sizes, "
                    "constants, arguments, or a value all of them load from one place",
                )
        return op

    def _control(self, op: scf.ForOp | scf.IfOp | scf.WhileOp) -> Control:
        lanes = self.uniformity.lane_values
        match op:
            case scf.ForOp():
                pairs = [*zip(op.res, op.body.block.args[1:], strict=True)]
                self.homes |= {arg: arg for _, arg in pairs if arg in lanes}
            case scf.IfOp():
                pairs = [(result, result) for result in op.results]
            case scf.WhileOp():
                pairs = [*zip(op.res, op.after_region.block.args, strict=True)]
                self.homes |= {arg: arg for arg in op.before_region.block.args if arg in lanes}
                self.homes |= {arg: arg for _, arg in pairs if arg in lanes}
        self.homes |= {result: home for result, home in pairs if result in lanes}
        for home in (home for value, home in self.homes.items() if value is home):
            self._keep(home)
        return Control(op, [self._split(region.block) if region.blocks else [] for region in op.regions])

    def _moves_before(self, op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
        match op:
            case scf.ForOp():
                return self._lane_moves(op.body.block.args[1:], op.iter_args)
            case scf.WhileOp():
                return self._lane_moves(op.before_region.block.args, op.arguments)
            case _:
                return iter(())

    def _moves_at_end(self, block: Block, end: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
        match parent := block.parent_op():
            case scf.ForOp():
                return self._lane_moves(parent.body.block.args[1:], end.operands)
            case scf.IfOp():
                return self._lane_moves(parent.results, end.operands)
            case scf.WhileOp() if isinstance(end, scf.ConditionOp):
                return self._lane_moves(parent.after_region.block.args, end.args)
            case scf.WhileOp():
                return self._lane_moves(parent.before_region.block.args, end.operands)
            case _:
                return iter(())

    def _lane_moves(
        self, homes: Sequence[SSAValue], sources: Sequence[SSAValue]
    ) -> Iterator[tuple[SSAValue, SSAValue]]:
        for home, source in zip(homes, sources, strict=True):
            if home in self.uniformity.lane_values and home is not source:
                yield home, source

    # Values that live across barriers

    def is_recomputed(self, op: Operation) -> bool:
        """Return whether each segment computes the results of `op` for itself."""
        return self._cost(op) is not None

    def _cost(self, op: Operation) -> int | None:
        """Return the number of operations that it takes to compute `op` again, or None if that is not to be done."""
        if op not in self._costs:
            self._costs[op] = None
            self._costs[op] = self._compute_cost(op)
        return self._costs[op]

    def _compute_cost(self, op: Operation) -> int | None:
        if isinstance(op, LANE_IDS):
            return 0
        if _is_view(op):
            return 1
        if op.regions or op.dialect_name() not in ("arith", "index") or op.name in DIVISIONS:
            return None
        total = 1
        for value in op.operands:
            if self.uniformity.is_uniform(value):
                continue
            cost = self._cost(value.op) if isinstance(value, OpResult) and value.op in self._segment_of else None
            if cost is None:
                return None
            total += cost
        return total if total <= RECOMPUTED_OPS else None

    def _find_spills(self, segment: Segment) -> None:
        seen = set[SSAValue]()
        for op in segment.ops:
            if not self.is_recomputed(op):
                for value in captured(op):
                    self._require(value, segment, seen)
        for _, source in segment.moves:
            self._require(source, segment, seen)

    def _require(self, value: SSAValue, segment: Segment, seen: set[SSAValue]) -> None:
        """Makes sure that `segment` can get at `value`."""
        if value in seen or self.uniformity.is_uniform(value) or value in self.homes:
            return
        seen.add(value)
        assert isinstance(value, OpResult)
        if self.is_recomputed(value.op):
            for operand in value.op.operands:
                self._require(operand, segment, seen)
        elif self._segment_of[value.op] is not segment:
            self._keep(value)

    def _keep(self, value: SSAValue) -> None:
        """Gives `value` an array over the lanes."""
        type = value.type
        if not isinstance(type, MemRefType):
            self.spilled[value] = None
        elif isinstance(value, OpResult) and isinstance(value.op, memref.AllocaOp):
            _check_private(value.op)
            by_element = all(_is_access(use.operation, value) for use in value.uses)
            (self.private if by_element else self.viewed)[value] = None
        else:
            owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
            assert owner is not None
            raise PassError(
                owner,
                "gpu-memref-across-barrier",
                f"a {cast(Attribute, type)} that differs between lanes lives across a barrier",
                hint="choose the index instead of the buffer, or choose again after the barrier",
            )


def _first_barrier(op: Operation) -> Operation:
    return next(nested for nested in operations(op) if isinstance(nested, gpu.BarrierOp))


def _is_view(op: Operation) -> bool:
    """Return whether `op` only makes another view of a buffer."""
    if op.dialect_name() != "memref" or op.regions or len(op.results) != 1:
        return False
    return isinstance(op.results[0].type, MemRefType) and is_side_effect_free(op)


def _check_private(op: memref.AllocaOp) -> None:
    """Raises unless the buffer can become a part of an array over the lanes."""
    shape = op.memref.type.get_shape()
    if DYNAMIC_INDEX in shape:
        raise PassError(
            op,
            "gpu-private-dynamic",
            f"the lane's buffer {op.memref.type} lives across a barrier and its size is not constant",
            hint="give it a constant size",
        )
    if not is_dense_layout(op.memref.type):
        raise PassError(
            op,
            "gpu-private-layout",
            f"the lane's buffer {op.memref.type} lives across a barrier and its elements have gaps",
            hint="give it the default layout",
        )


def _is_access(op: Operation, buffer: SSAValue) -> bool:
    return isinstance(op, (memref.LoadOp, memref.StoreOp)) and op.memref is buffer


def check_no_barrier(function: Operation) -> None:
    """Raises if a function that lanes call has a barrier."""
    if has_barrier(function):
        raise PassError(
            _first_barrier(function),
            "gpu-barrier-in-function",
            "the barrier is inside a function that lanes call",
            hint="inline the function into the kernel",
        )
