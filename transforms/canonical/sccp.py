"""The pass `sccp`: sparse conditional constant propagation (Wegman and Zadeck, 1991), over blocks and regions.

Every value starts unknown, becomes a constant when the first path that is taken gives it one, and varying when another
gives something else. Paths count only once their condition lets them be taken, so a constant that holds on all paths
that are really taken is found, even around a loop, where looking at one operation at a time finds none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import arith, cf, scf
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, ModuleOp
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import ConstantLike

from hologram.dialects.atlas.arrays.base import YieldOp
from hologram.dialects.atlas.instructions.scalar import MovImmOp
from hologram.dialects.atlas.lanes.branches import BraOp, FuncOp
from hologram.dialects.atlas.lanes.control import IfOp, LoopOp, RepeatOp
from hologram.dialects.atlas.lanes.programs import ProgramOp
from hologram.support.walking import operations
from hologram.transforms.canonical.rules import rules_of


class Varying:
    """The fact of a value that is no constant."""


VARYING = Varying()
Known: TypeAlias = "Attribute | Varying"


@dataclass(frozen=True)
class SccpPass(ModulePass):
    """Replaces values that are constant on every path that can be taken, and drops branches that never are.

    Before::

        %c1 = arith.constant 1 : i32
        cf.br ^loop(%c1 : i32)
      ^loop(%k: i32):
        %same = arith.muli %k, %c1 : i32
        cf.cond_br %p, ^loop(%same : i32), ^end
      ^end:
        func.return %k : i32

    After::

      ^end:
        %k = arith.constant 1 : i32
        func.return %k : i32
    """

    name = "sccp"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        solver = Solver()
        solver.solve(op)
        solver.rewrite(op)


@dataclass
class Solver:
    """Finds the constants among values, and the blocks that can be reached."""

    known: dict[SSAValue, Known] = field(default_factory=dict[SSAValue, "Known"])
    reached: set[Block] = field(default_factory=set[Block])
    blocks: deque[Block] = field(default_factory=deque[Block])
    operations: deque[Operation] = field(default_factory=deque[Operation])

    def solve(self, root: Operation) -> None:
        """Propagates from the entries of all regions of `root` until nothing changes."""
        self._enter_regions(root)
        while self.blocks or self.operations:
            if self.blocks:
                for op in self.blocks.popleft().ops:
                    self._visit(op)
            else:
                op = self.operations.popleft()
                if op.parent in self.reached:
                    self._visit(op)

    # What is known

    def _meet(self, value: SSAValue, incoming: Known | None) -> None:
        """Adds what a path gives a value; None is a path that gives nothing yet."""
        old = self.known.get(value)
        if incoming is None or old is VARYING or old == incoming:
            return
        self.known[value] = incoming if old is None else VARYING
        for use in value.uses:
            self.operations.append(use.operation)

    def _reach(self, block: Block) -> None:
        if block not in self.reached:
            self.reached.add(block)
            self.blocks.append(block)

    def _vary(self, values: Sequence[SSAValue]) -> None:
        for value in values:
            self._meet(value, VARYING)

    # Operations

    def _visit(self, op: Operation) -> None:
        match op:
            case cf.BranchOp():
                self._branch(op.successor, op.arguments)
            case cf.ConditionalBranchOp() | BraOp():
                condition, ways = _ways(op)
                for (block, arguments), wanted in zip(ways, (True, False), strict=False):
                    if condition is None or self._may_be(condition, wanted):
                        self._branch(block, arguments)
            case scf.IfOp():
                self._choice(op, op.cond, op.true_region, op.false_region)
            case IfOp():
                self._choice(op, op.condition, op.then_region, op.else_region)
            case scf.ForOp():
                self._loop(op, op.iter_args, op.body.block)
            case LoopOp():
                self._loop(op, op.iter_args, op.body.block)
            case RepeatOp():
                self._branch(op.body.block, op.iter_args)
            case scf.YieldOp() if isinstance(op.parent_op(), scf.IfOp | scf.ForOp):
                self._yield(op)
            case YieldOp() if isinstance(op.parent_op(), IfOp | LoopOp):
                self._yield(op)
            case YieldOp() if isinstance(repeat := op.parent_op(), RepeatOp):
                self._go_on(op, repeat)
            case _ if op.regions or op.successors:
                self._unknown(op)
            case _:
                self._compute(op)

    def _branch(self, successor: Block, arguments: Sequence[SSAValue]) -> None:
        for argument, value in zip(successor.args, arguments, strict=True):
            self._meet(argument, self.known.get(value))
        self._reach(successor)

    def _may_be(self, condition: SSAValue, wanted: bool) -> bool:
        """Return whether a condition can have this value, as far as is known now."""
        known = self.known.get(condition)
        return known is not None and (isinstance(known, Varying) or _truth(known) == wanted)

    def _choice(self, op: Operation, condition: SSAValue, then: Region, otherwise: Region) -> None:
        for region, wanted in ((then, True), (otherwise, False)):
            if region.blocks and self._may_be(condition, wanted):
                self._reach(region.block)
        # Without an else region there are no results.

    def _loop(self, op: Operation, starts: Sequence[SSAValue], body: Block) -> None:
        self._meet(body.args[0], VARYING)
        for start, argument, result in zip(starts, body.args[1:], op.results, strict=True):
            self._meet(argument, self.known.get(start))
            self._meet(result, self.known.get(start))
        self._reach(body)

    def _yield(self, op: Operation) -> None:
        """Hands on what a branch or an iteration gives."""
        parent = op.parent_op()
        assert parent is not None
        for value, result in zip(op.operands, parent.results, strict=True):
            self._meet(result, self.known.get(value))
        if isinstance(parent, scf.ForOp | LoopOp):
            for value, argument in zip(op.operands, parent.body.block.args[1:], strict=True):
                self._meet(argument, self.known.get(value))

    def _go_on(self, op: Operation, repeat: RepeatOp) -> None:
        """Hands on what an iteration of an `atlas.repeat` gives: whether it goes on, the next values, the results."""
        carried = repeat.body.block.args
        if self._may_be(op.operands[0], True):
            for value, argument in zip(op.operands[1:], carried, strict=False):
                self._meet(argument, self.known.get(value))
        for value, result in zip(op.operands[1 + len(carried) :], repeat.results, strict=True):
            self._meet(result, self.known.get(value))

    def _unknown(self, op: Operation) -> None:
        """Take everything for possible: this control has no rule."""
        self._vary(op.results)
        self._enter_regions(op)
        for successor in op.successors:
            self._vary(successor.args)
            self._reach(successor)

    def _enter_regions(self, op: Operation) -> None:
        for region in op.regions:
            if region.blocks:
                self._vary(region.blocks[0].args)
                self._reach(region.blocks[0])

    def _compute(self, op: Operation) -> None:
        if not op.results:
            return
        constant = ConstantLike.get_constant_value(op.results[0]) if op.has_trait(ConstantLike) else None
        if constant is not None:
            self._meet(op.results[0], constant)
            return
        operands = [self.known.get(value) for value in op.operands]
        if None in operands:
            return
        folded = self._folded(op, cast("list[Known]", operands))
        for result, value in zip(op.results, folded, strict=True):
            self._meet(result, value)

    def _folded(self, op: Operation, operands: Sequence[Known]) -> Sequence[Known]:
        """The results for these operands."""
        varying = [VARYING] * len(op.results)
        if len(op.results) != 1 or all(isinstance(known, Varying) for known in operands):
            return varying
        stand_ins: list[SSAValue] = []
        for value, known in zip(op.operands, operands, strict=True):
            stand_ins.append(value if isinstance(known, Varying) else _constant(known, value).results[0])
        copy = op.clone()
        copy.operands = stand_ins
        folded = _fold(copy)
        if isinstance(folded, SSAValue):
            folded = dict(zip(stand_ins, operands, strict=True)).get(folded, VARYING)
        copy.drop_all_references()
        return varying if folded is None else [folded]

    # The rewrite

    def rewrite(self, root: Operation) -> None:
        """Puts constants in the places of values that are, and drops blocks that are not reached."""
        reached = [op for op in operations(root) if op.parent in self.reached]
        for op in reached:
            if isinstance(op, cf.ConditionalBranchOp | BraOp):
                self._decide(op)
        for op in reached:
            if op.parent is not None:
                self._replace_values(op)
        for op in list(root.walk(reverse=True, region_first=True)):
            for region in op.regions:
                if len(region.blocks) > 1:
                    self._drop_unreached(region)

    def _decide(self, op: cf.ConditionalBranchOp | BraOp) -> None:
        """Makes a branch whose condition is constant an unconditional one."""
        condition, ways = _ways(op)
        known = None if condition is None else self.known.get(condition)
        if isinstance(known, Attribute):
            block, arguments = ways[0 if _truth(known) else 1]
            new = BraOp(block, arguments) if isinstance(op, BraOp) else cf.BranchOp(block, *arguments)
            Rewriter.replace_op(op, new)

    def _replace_values(self, op: Operation) -> None:
        for result in op.results:
            if not op.has_trait(ConstantLike):
                self._replace(result, op)
        for region in op.regions:
            for block in region.blocks:
                if block in self.reached and block.first_op is not None:
                    for argument in block.args:
                        self._replace(argument, block.first_op)

    def _replace(self, value: SSAValue, place: Operation) -> None:
        """Uses a constant, made in front of `place`, instead of a value."""
        known = self.known.get(value)
        if known is None or isinstance(known, Varying) or value.first_use is None:
            return
        constant = _constant(known, value)
        constant.location = place.location
        constant.results[0].name_hint = value.name_hint
        assert place.parent is not None
        place.parent.insert_op_before(constant, place)
        value.replace_all_uses_with(constant.results[0])

    def _drop_unreached(self, region: Region) -> None:
        unreached = [block for block in region.blocks if block not in self.reached]
        for block in unreached:
            for op in block.ops:
                op.drop_all_references()
        for block in unreached:
            region.detach_block(block)
            block.erase(safe_erase=False)


def _ways(op: cf.ConditionalBranchOp | BraOp) -> tuple[SSAValue | None, list[tuple[Block, Sequence[SSAValue]]]]:
    """A branch's condition, and where it leads with which arguments: first where it holds."""
    if isinstance(op, cf.ConditionalBranchOp):
        return op.cond, [(op.then_block, op.then_arguments), (op.else_block, op.else_arguments)]
    return op.condition, op.ways


def _truth(known: Known) -> bool:
    return isinstance(known, IntegerAttr) and known.value.data != 0


def _fold(op: Any) -> Attribute | SSAValue | None:
    """Return the result of an operation on constants."""
    row, _ = rules_of(op.__class__)
    if row is not None and (result := row(op)) is not None:
        return result
    if not isinstance(op, HasFolderInterface):
        return None
    folded = op.fold()
    return folded[0] if folded else None


def _constant(value: Attribute, like: SSAValue) -> Operation:
    """An operation that gives a constant, of the dialect that the value's neighbours are of."""
    block = like.owner if isinstance(like, BlockArgument) else like.owner.parent
    op = block.parent_op() if isinstance(block, Block) else None
    while op is not None and not isinstance(op, ProgramOp | FuncOp):
        op = op.parent_op()
    if op is not None and isinstance(value, IntegerAttr | FloatAttr):
        return MovImmOp(cast(Any, value))
    return arith.ConstantOp.create(result_types=[like.type], properties={"value": value})
