"""Writes a tree of structured control as atlas operations, in SSA form again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects.atlas.arrays.base import YieldOp
from hologram.dialects.atlas.instructions.scalar import MovImmOp, NotOp, SelOp, SetccOp
from hologram.dialects.atlas.instructions.types import PtrType, Space, dtype_of
from hologram.dialects.atlas.instructions.verbs import number_of
from hologram.dialects.atlas.lanes.class_memory import BoundMapOp
from hologram.dialects.atlas.lanes.pools import PoolAllocOp
from hologram.dialects.atlas.lanes.programs import AllocaOp, ExitOp, IfOp, LeaOp, RepeatOp, space_of
from hologram.dialects.shapes import is_memref
from hologram.errors import PassError
from hologram.support.walking import operations
from hologram.transforms.lanes.control_tree import (
    Assign,
    Code,
    If,
    Leave,
    Live,
    Repeat,
    Source,
    Test,
    Tree,
    Variable,
    live_before,
)

Known = dict[Variable, SSAValue]
"""What holds each variable's value at a place."""


class Emission:
    """Writes trees into blocks. Constants go to the top of the first block, one of each."""

    def __init__(self, entry: Block, source: Operation):
        self.entry = entry
        self.source = source
        """What new operations are said to come from when nothing nearer is known."""
        self._constants: dict[tuple[int, Attribute], SSAValue] = {}

    def emit(self, trees: Sequence[Tree], known: Known, within: Sequence[Live], block: Block) -> bool:
        """Appends trees to a block and updates what is known. `within` is what is live before each and after the last.
        Gives whether control gets to the end.
        """
        for tree, live in zip(trees, within[1:], strict=True):
            match tree:
                case Code():
                    for op in tree.ops:
                        self._move(op, known, block)
                case Assign():
                    values = [(t, self.value(s, t, known)) for t, s in tree.pairs if t in live]
                    known |= {t: v for t, v in values if v is not None}
                case If():
                    if not self._if(tree, known, live, block):
                        return False
                case Repeat():
                    self._repeat(tree, known, live, block)
                case Leave():
                    return False
        return True

    def value(self, source: Source, target: Variable, known: Known) -> SSAValue | None:
        """Return the value of a source; None if nothing was assigned on the way, so that nobody will see it."""
        return self.constant(source, target.type) if isinstance(source, int) else known.get(source)

    def constant(self, number: int, type: Attribute) -> SSAValue:
        """A constant; a pointer's is the start of any object of its space, for where nobody will look."""
        key = (number, type)
        if key not in self._constants:
            new, place = self._stand_in(type) if isinstance(type, PtrType) else (self._scalar(number, type), None)
            new.location = self.source.location
            Rewriter.insert_op(new, InsertPoint.at_start(self.entry) if place is None else InsertPoint.after(place))
            self._constants[key] = new.results[0]
        return self._constants[key]

    def _scalar(self, number: int, type: Attribute) -> Operation:
        dtype = dtype_of(type)
        assert dtype is not None, "only scalars and pointers go by different ways"
        return MovImmOp.of(number, dtype)

    def _stand_in(self, type: PtrType) -> tuple[Operation, Operation | None]:
        """A pointer, and the declaration that it comes after."""
        declared = [op.result for op in self.entry.ops if isinstance(op, AllocaOp | PoolAllocOp)]
        dtype = dtype_of(type.element)
        if (same := next((a for a in self.entry.args if a.type == type), None)) is not None and dtype is not None:
            return LeaOp(dtype, same, []), None
        if type.space.data is Space.class_ and dtype is not None:
            zero = self.constant(0, i32)
            assert isinstance(zero.owner, Operation)
            return BoundMapOp(dtype, zero, zero, zero), zero.owner
        for value in (*self.entry.args, *declared):
            if is_memref(value.type) and space_of(value.type) is type.space.data and dtype is not None:
                return LeaOp(dtype, value, []), value.owner if isinstance(value.owner, Operation) else None
        raise PassError(
            self.source,
            "structure-stand-in",
            f"a {type} is needed where control comes by different ways, and one has none",
            hint="make the pointer again where it is used",
        )

    def drop_unused(self) -> None:
        """Removes constants that nothing came to use."""
        for value in self._constants.values():
            if not value.uses and isinstance(value.owner, Operation):
                Rewriter.erase_op(value.owner)

    def _move(self, op: Operation, known: Known, block: Block) -> None:
        """Takes an operation over, with what its operands are here."""
        op.detach()
        for inner in operations(op):
            for number, operand in enumerate(inner.operands):
                if (new := known.get(operand, operand)) is not operand:
                    inner.operands[number] = new
        block.add_op(op)
        known.update({r: r for r in op.results})

    def _add(self, block: Block, new: Any, source: Operation | None) -> Any:
        new.location = (source or self.source).location
        block.add_op(new)
        return new

    # Branches

    def _condition(self, tree: If, known: Known, block: Block) -> SSAValue:
        if not isinstance(tree.condition, Test):
            return known.get(tree.condition, tree.condition)
        flag = self.value(tree.condition.flag, tree.condition.flag, known)
        assert flag is not None
        wanted = self.constant(tree.condition.value, flag.type)
        return self._add(block, SetccOp("eq", "i32", flag, wanted), tree.source).result

    def _if(self, tree: If, known: Known, live: Live, block: Block) -> bool:
        condition = self._condition(tree, known, block)
        ways = [_Way(self, *way, known) for way in zip(tree.ways, tree.live_within(live), strict=True)]
        tree.live = None
        reaching = [way for way in ways if way.goes_on]
        if not reaching:
            self._branch(tree, condition, ways, [], block)
            return False
        merged = [v for v in live if not self._agree(reaching, v, known)]
        if all(way.is_trivial for way in ways):
            merged = [v for v in merged if not self._select(tree, condition, ways, v, known, block)]
            if not merged:
                return True
        known.update(zip(merged, self._branch(tree, condition, ways, merged, block), strict=True))
        return True

    def _agree(self, reaching: Sequence[_Way], variable: Variable, known: Known) -> bool:
        """Takes over a variable that needs no merging: all arms that go on agree, or nothing was assigned in some."""
        values = list(dict.fromkeys(v for way in reaching if (v := way.known.get(variable)) is not None))
        if len(values) > 1 or any(way.holds(v) for way in reaching for v in values):
            return False
        if values:
            known[variable] = values[0]
        return True

    def _select(
        self, tree: If, condition: SSAValue, ways: Sequence[_Way], variable: Variable, known: Known, block: Block
    ) -> bool:
        """Merges a variable without a branch, where that can be."""
        values = [way.known[variable] for way in ways]
        dtype = dtype_of(values[0].type)
        if dtype is None:
            return False
        match (number_of(values[0]), number_of(values[1])):
            case (1, 0) if dtype.name == "bool":
                known[variable] = condition
            case (0, 1) if dtype.name == "bool":
                known[variable] = self._add(block, NotOp("bool", condition), tree.source).result
            case _:
                new = self._add(block, SelOp(dtype, condition, *values), tree.source)
                known[variable] = new.result
        return True

    def _branch(
        self, tree: If, condition: SSAValue, ways: Sequence[_Way], merged: Sequence[Variable], block: Block
    ) -> list[SSAValue]:
        """Appends the branch: what it makes of the merged variables."""
        then, otherwise = ways
        if not merged and then.is_trivial and not otherwise.is_trivial:
            condition = self._add(block, NotOp("bool", condition), tree.source).result
            then, otherwise = otherwise, then
        same = {v: self._decided(condition, then, otherwise, v) for v in merged}
        yielded = [v for v in merged if same[v] is None]
        one_sided = not yielded and otherwise.is_trivial
        regions = [self._close(way, yielded, tree.source) for way in (then, otherwise)]
        if one_sided:
            regions[1] = Region()
        types = [v.type for v in yielded]
        new = self._add(block, IfOp(condition, types, *regions), tree.source)
        results = iter(new.results)
        return [next(results) if (value := same[v]) is None else value for v in merged]

    def _decided(self, condition: SSAValue, then: _Way, otherwise: _Way, variable: Variable) -> SSAValue | None:
        """A merged predicate that is the condition itself."""
        if variable.type != i1 or not (then.goes_on and otherwise.goes_on):
            return None
        yes, no = then.known.get(variable), otherwise.known.get(variable)
        return condition if yes is not None and no is not None and (number_of(yes), number_of(no)) == (1, 0) else None

    def _close(self, way: _Way, merged: Sequence[Variable], source: Operation | None) -> Region:
        if not way.goes_on:
            self._add(way.block, ExitOp(), source)
        else:
            values = [way.known.get(v) for v in merged]
            filled = [self.constant(0, t.type) if v is None else v for v, t in zip(values, merged, strict=True)]
            self._add(way.block, YieldOp(*filled), source)
        return Region(way.block)

    # Loops

    def _repeat(self, tree: Repeat, known: Known, live: Live, block: Block) -> None:
        changes = tree.changes
        within = tree.live_within(live)
        tree.live = None
        carried = [v for v in tree.head if v in changes]
        starts = [self.constant(0, v.type) if (s := known.get(v)) is None else s for v in carried]
        body = Block(arg_types=[v.type for v in carried])
        inside = known | dict(zip(carried, body.args, strict=True))
        for variable, arg in zip(carried, body.args, strict=True):
            arg.name_hint = variable.name_hint if isinstance(variable, SSAValue) else None
        goes_on = self.emit(tree.body, inside, within, body)
        results = [v for v in live if v in changes and v in inside] if goes_on else []
        if goes_on:
            again = inside.get(tree.again)
            assert again is not None
            nexts = [self.constant(0, v.type) if (s := inside.get(v)) is None else s for v in carried]
            self._add(body, YieldOp(again, *nexts, *(inside[v] for v in results)), tree.source)
        else:
            self._add(body, ExitOp(), tree.source)
        new = self._add(block, RepeatOp(starts, [v.type for v in results], Region(body)), tree.source)
        known.update(zip(results, new.results, strict=True))


class _Way:
    """One arm of a branch: its code, and what is known at its end."""

    def __init__(self, emission: Emission, trees: Sequence[Tree], within: Sequence[Live], known: Known):
        self.block = Block()
        self.known = dict(known)
        self.goes_on = emission.emit(trees, self.known, within, self.block)

    @property
    def is_trivial(self) -> bool:
        """Return whether nothing happens in it."""
        return self.block.is_empty and self.goes_on

    def holds(self, value: SSAValue) -> bool:
        """Return whether the arm itself computes a value, so that nobody outside sees it."""
        return isinstance(value.owner, Operation) and value.owner.parent is self.block


def emit_body(
    region: Region, trees: Sequence[Tree], returned: Sequence[Variable], make_end: Any, op: Operation
) -> None:
    """Replaces the blocks of a program's or function's body by the tree. `make_end` makes the last operation from what
    is returned.
    """
    old = list(region.blocks)
    block = Block(arg_types=old[0].arg_types)
    for before, new in zip(old[0].args, block.args, strict=True):
        new.name_hint = before.name_hint
    emission = Emission(block, op)
    known: Known = dict(zip(old[0].args, block.args, strict=True))
    goes_on = emission.emit(trees, known, live_before(trees, dict.fromkeys(returned)), block)
    values = [emission.constant(0, v.type) if (s := known.get(v)) is None else s for v in returned] if goes_on else []
    last = make_end(values) if goes_on else ExitOp()
    last.location = op.location
    block.add_op(last)
    emission.drop_unused()
    for each in old:
        region.detach_block(each)
        each.drop_all_references()
    region.add_block(block)
