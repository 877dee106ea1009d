"""Runs the parts of a loop over lanes one after the other, each in all lanes, so that some can be on vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from hologram.lowering.lane_conditions import PURE
from hologram.walking import operations

MOST = 16
"""Of operations that parts are made of: each is compared with each."""


def path_to(index: SSAValue) -> list[scf.ForOp]:
    """The loop that counts an index, behind those around it that are in no block."""
    block: Any = index.owner
    found: list[scf.ForOp] = []
    while block is not None:
        found.insert(0, block.parent_op())
        block = found[0].parent_block()
    return found


def apart(path: Sequence[scf.ForOp]) -> list[list[scf.ForOp]]:
    """Copies of a nest of loops over lanes, each with a part of the innermost body; none if it stays together.

    Lanes without a barrier between them may run at the same time, so all may do the first part before one does the
    second. What a part computes of memory or leaves there is not used by others.
    """
    anchors = [op for op in path[-1].body.block.ops if _is_anchor(op)]
    parts = _parts(anchors) if 1 < len(anchors) <= MOST else []
    return [_only(path, part) for part in parts] if len(parts) > 1 else []


def _is_anchor(op: Operation) -> bool:
    return not isinstance(op, (*PURE, scf.YieldOp))


def _only(path: Sequence[scf.ForOp], part: Sequence[Operation]) -> list[scf.ForOp]:
    values: dict[SSAValue, SSAValue] = {}
    path[0].clone(values)
    copies = path_to(values[path[-1].body.block.args[0]])
    pairs = [*zip(path[-1].body.block.ops, copies[-1].body.block.ops, strict=True)]
    for op, copy in reversed(pairs):
        # What only operations of other parts use comes behind what it is computed from.
        left_out = op not in part if _is_anchor(op) else isinstance(op, PURE) and not any(r.uses for r in copy.results)
        if left_out:
            copy.detach()
            copy.erase()
    return copies


def _parts(anchors: Sequence[Operation]) -> list[list[Operation]]:
    """Runs of operations that have nothing to do with those in other runs."""
    known = [_Uses(op) for op in anchors]
    starts = [n for n in range(len(known)) if not any(a.meets(b) for a in known[:n] for b in known[n:])]
    return [list(anchors[a:b]) for a, b in zip(starts, [*starts[1:], len(anchors)], strict=True)]


class _Uses:
    """What an operation of a body computes, takes of others, reads and writes."""

    def __init__(self, op: Operation):
        self.made = set(op.results)
        self.taken = _taken(op)
        self.touched: set[SSAValue] = set()
        self.written: set[SSAValue] = set()
        for inner in operations(op):
            memory = {v for v in inner.operands if isinstance(v.type, MemRefType)}
            self.touched |= memory
            if not isinstance(inner, memref.LoadOp | memref.DimOp):
                self.written |= memory

    def meets(self, later: _Uses) -> bool:
        """Whether another one can't run apart from it."""
        return bool(self.made & later.taken or self.written & later.touched or self.touched & later.written)


def _taken(op: Operation) -> set[SSAValue]:
    """The values that an operation is computed from, by way of operations that are done again in each part."""
    found: set[SSAValue] = set()
    pending = [v for inner in operations(op) for v in inner.operands]
    while pending:
        value = pending.pop()
        if value in found:
            continue
        found.add(value)
        if isinstance(value.owner, PURE):
            pending += value.owner.operands
    return found
