"""The analysis of what follows from sizes: integers that are bounded by those of arrays, by constants or each other.

A loop between such bounds ends after a time that whoever made the arrays can tell. One whose bounds come from scalars,
or from what arrays hold, may run for as long as the numbers say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from hologram.support.registry import Registry
from hologram.support.walking import operations
from hologram.transforms.analysis.dataflow import Analysis, Transfer
from hologram.transforms.analysis.integer_ranges import bits_of

NARROW = 16
"""Integers of at most so many bits bound a loop by themselves."""


class SizeBounds(Analysis[bool]):
    """Whether values of a module follow from sizes. Arguments of private functions do where those of all calls do."""

    transfers: ClassVar[Registry[Transfer]] = Registry()

    def __init__(self, module: ModuleOp) -> None:
        super().__init__()
        self._calls: dict[str, list[func.CallOp]] = {}
        for op in operations(module):
            if isinstance(op, func.CallOp):
                self._calls.setdefault(op.callee.string_value(), []).append(op)

    def start(self, value: SSAValue) -> bool:
        if _is_narrow(value):
            return True
        owner = value.owner
        if isinstance(value, OpResult) and isinstance(owner, scf.IfOp):
            self.known[value] = False
            yielded = [r.block.last_op for r in owner.regions if r.blocks]
            return all(last is not None and self.of(last.operands[value.index]) for last in yielded)
        if not isinstance(value, BlockArgument):
            return False
        loop = value.block.parent_op()
        if isinstance(loop, func.FuncOp):
            return self._is_given(loop, value)
        if isinstance(loop, scf.ForOp) and value.index == 0:
            return self.bounds(loop.lb, loop.ub, loop.step)
        if isinstance(loop, scf.ParallelOp) and value.index < len(loop.lowerBound):
            at = value.index
            return self.bounds(loop.lowerBound[at], loop.upperBound[at], loop.step[at])
        return False

    def _is_given(self, function: func.FuncOp, argument: BlockArgument) -> bool:
        """Return whether all calls of a private function give what follows from sizes for an argument."""
        calls = self._calls.get(function.sym_name.data, [])
        if argument.block is not function.body.blocks[0] or function.sym_visibility != StringAttr("private"):
            return False
        self.known[argument] = False
        return bool(calls) and all(self.of(call.operands[argument.index]) for call in calls)

    def bounds(self, lower: SSAValue, upper: SSAValue, step: SSAValue) -> bool:
        """Return whether the count of a loop between these bounds follows from sizes."""
        below = upper.owner
        if isinstance(below, arith.MinSIOp | arith.MinUIOp) and any(self.of(v) for v in below.operands):
            return self.of(lower) and self.of(step)
        if self._is_rest(lower, upper):
            return True
        return all(self.of(v) for v in (lower, upper, step))

    def _is_rest(self, lower: SSAValue, upper: SSAValue) -> bool:
        """Return whether a loop does what vectors leave over: it begins at `upper - upper % constant`."""
        start = lower.owner
        if not isinstance(start, arith.SubiOp) or start.lhs is not upper:
            return False
        rest = start.rhs.owner
        return isinstance(rest, arith.RemUIOp | arith.RemSIOp) and rest.lhs is upper and self.of(rest.rhs)


def _all(analysis: SizeBounds, op: Operation, result: SSAValue) -> bool:
    return all(analysis.known[v] for v in op.operands)


def _constant(analysis: SizeBounds, op: Operation, result: SSAValue) -> bool:
    return True


def _cast(analysis: SizeBounds, op: Operation, result: SSAValue) -> bool:
    return _is_narrow(op.operands[0]) or analysis.known[op.operands[0]]


def _is_narrow(value: SSAValue) -> bool:
    return 0 < bits_of(value.type) <= NARROW


def _modulo(analysis: SizeBounds, op: Operation, result: SSAValue) -> bool:
    """A remainder is below the divisor."""
    return analysis.known[op.operands[1]]


def _either(analysis: SizeBounds, op: Operation, result: SSAValue) -> bool:
    """Of integers without a sign, the lesser and the common bits are no more than each."""
    return any(analysis.known[v] for v in op.operands)


def _selected(analysis: SizeBounds, op: Operation, result: SSAValue) -> bool:
    return all(analysis.known[v] for v in op.operands[1:])


_INTEGERS = (
    arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.DivUIOp, arith.DivSIOp, arith.CeilDivUIOp, arith.CeilDivSIOp,
    arith.FloorDivSIOp, arith.MaxSIOp, arith.MaxUIOp, arith.MinSIOp, arith.ShLIOp, arith.ShRUIOp, arith.ShRSIOp,
    arith.OrIOp, arith.XOrIOp,
)  # fmt: skip
_ROWS: Sequence[tuple[tuple[type[Operation], ...], Transfer]] = (
    (_INTEGERS, _all),
    ((arith.MinUIOp, arith.AndIOp), _either),
    ((arith.RemUIOp, arith.RemSIOp), _modulo),
    ((arith.IndexCastOp, arith.ExtUIOp, arith.ExtSIOp, arith.TruncIOp), _cast),
    ((arith.SelectOp,), _selected),
    ((arith.ConstantOp, memref.DimOp, memref.ExtractStridedMetaDataOp), _constant),
)
for _classes, _transfer in _ROWS:
    SizeBounds.transfers.update(dict.fromkeys(_classes, _transfer))
