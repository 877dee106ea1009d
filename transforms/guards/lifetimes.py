"""Proofs that freed memory is used no more, and that no memory is freed that is not a function's own.

What a memref may be the memory of is a set of *roots*: allocations, arguments, globals, results of calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, cast

from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from hologram.dialects.scf import KeptRegionOp
from hologram.errors import PassError
from hologram.support.walking import operations
from hologram.transforms.guards.refusals import FLAG, callee_of

VIEWS = {
    "memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.reinterpret_cast",
    "memref.view", "memref.assume_alignment", "memref.transpose", "memref.memory_space_cast",
}  # fmt: skip
"""Operations whose result is the same memory as their first operand."""
FUNCTIONS = ("func.func", "gpu.func", "atlas.program", "atlas.func", "hologram.kernel", "hologram.function")
READERS = {
    "memref.load", "memref.dim", "memref.dealloc", "memref.rank", "memref.prefetch", "memref.extract_strided_metadata",
    "vector.load", "vector.maskedload", "vector.gather", "vector.transfer_read",
}  # fmt: skip
"""Operations that write nothing through a memref."""
Roots = frozenset[SSAValue]
_NONE: Roots = frozenset()


def is_memory(value: SSAValue) -> bool:
    """Return whether a value is a memref."""
    return isinstance(value.type, MemRefType)


class Memory:
    """What the memrefs of a module may be the memory of."""

    def __init__(self, module: ModuleOp):
        self.functions = [o for o in operations(module) if o.name in FUNCTIONS]
        self._roots: dict[SSAValue, Roots] = {}

    def roots(self, value: SSAValue) -> Roots:
        """What a memref may be the memory of."""
        if value not in self._roots:
            found: set[SSAValue] = set()
            seen: set[SSAValue] = set()
            waiting = [value]
            while waiting:
                if (now := waiting.pop()) in seen:
                    continue
                seen.add(now)
                sources = list(self._sources(now))
                waiting += sources
                if not sources:
                    found.add(now)
            self._roots[value] = frozenset(found)
        return self._roots[value]

    def _sources(self, value: SSAValue) -> Iterator[SSAValue]:
        """The memrefs that a memref is one of, or a view of; none for a root."""
        if isinstance(value, BlockArgument):
            yield from _given(value)
            return
        op = cast("Operation", value.owner)
        if op.name in VIEWS:
            yield op.operands[0]
        elif op.name == "arith.select":
            yield from op.operands[1:]
        elif isinstance(op, func.CallOp):
            yield from self._of_call(op, cast("Any", value).index)
        elif isinstance(op, scf.WhileOp):
            yield cast("Any", op.before_region.block.last_op).args[cast("Any", value).index]
        elif op.regions and op.name.startswith(("scf.", "memref.alloca_scope")):
            if isinstance(op, scf.ForOp):
                yield op.iter_args[cast("Any", value).index]
            for block in (b for region in op.regions for b in region.blocks):
                last = block.last_op
                if last is not None and len(last.operands) > cast("Any", value).index and not last.successors:
                    yield last.operands[cast("Any", value).index]

    def _of_call(self, op: func.CallOp, number: int) -> Iterator[SSAValue]:
        """What a call gives is new memory, one of its arguments, or a global."""
        if (callee := callee_of(op)) is None:
            return
        for root in self.returned(callee, number):
            if isinstance(root, BlockArgument) and root.block is callee.body.blocks[0]:
                yield op.arguments[root.index]
            elif not isinstance(root.owner, memref.AllocOp):
                yield root

    def returned(self, function: func.FuncOp, number: int) -> Roots:
        """The roots of a result of a function."""
        return frozenset(root for value in _results(function, number) for root in self.roots(value))

    def owned(self, value: SSAValue) -> bool:
        """Return whether a value is memory that its function may free: an allocation, or one that a call returns."""
        op = value.owner
        if isinstance(op, memref.AllocOp):
            return True
        callee = callee_of(op) if isinstance(op, func.CallOp) else None
        if callee is None or not all(self.owned(start_of(v)) for v in _results(callee, cast("Any", value).index)):
            return False
        results = [
            self.returned(callee, n) if isinstance(t, MemRefType) else _NONE
            for n, t in enumerate(callee.function_type.outputs)
        ]
        number: int = cast("Any", value).index
        others = [root for n, roots in enumerate(results) if n != number for root in roots]
        mine = results[number]
        return len(mine) == 1 and all(self.owned(r) for r in mine) and not mine & set(others)

    def leaves(self, value: SSAValue) -> set[Block]:
        """The blocks whose last operation passes a root on."""
        lasts = (o for f in self.functions for o in operations(f) if o.parent_block() is not None)
        return {
            cast("Block", op.parent_block())
            for op in lasts
            if op.next_op is None and any(is_memory(v) and value in self.roots(v) for v in op.operands)
        }

    def writes(self, root: SSAValue) -> bool:
        """Return whether something may write to a root."""
        for function in self.functions:
            for op in operations(function):
                for number, value in enumerate(op.operands):
                    if is_memory(value) and root in self.roots(value) and self._is_written(op, number):
                        return True
        return False

    def _is_written(self, op: Operation, number: int) -> bool:
        if isinstance(op, func.CallOp):
            callee = callee_of(op)
            return callee is None or self.writes(callee.body.blocks[0].args[number])
        if isinstance(op, memref.CopyOp):
            return number == 1
        if (outs := getattr(op, "outs", None)) is not None:
            return op.operands[number] in outs
        passes_on = op.next_op is None or op.name in VIEWS or op.name == "arith.select" or bool(op.regions)
        return not passes_on and op.name not in READERS

    @cached_property
    def carried(self) -> Roots:
        """The allocations that an argument of a block, or a result of an operation with regions, may be."""
        found: set[SSAValue] = set()
        for function in self.functions:
            for op in operations(function):
                values = [r for r in op.results if op.regions] + [
                    a for g in op.regions for b in g.blocks for a in b.args
                ]
                found.update(root for v in values if is_memory(v) for root in self.roots(v))
        return frozenset(found)


def start_of(value: SSAValue) -> SSAValue:
    """The memref whose first element is that of a memref, as far as views show."""
    while isinstance(op := value.owner, Operation) and op.name in VIEWS:
        offsets: Any = getattr(op, "static_offsets", None)
        if op.name == "memref.view" or (offsets is not None and any(offsets.iter_values())):
            break
        value = op.operands[0]
    return value


def _results(function: func.FuncOp, number: int) -> list[SSAValue]:
    """What a function may return as a result of a number."""
    return [o.arguments[number] for o in operations(function) if isinstance(o, func.ReturnOp)]


def _given(argument: BlockArgument) -> Iterator[SSAValue]:
    """What an argument of a block is given, where it stands in a loop or behind branches."""
    block, number = argument.block, argument.index
    parent = block.parent_op()
    if isinstance(parent, scf.ForOp):
        yield parent.iter_args[number - 1]
        yield cast("Operation", block.last_op).operands[number - 1]
    elif isinstance(parent, scf.WhileOp):
        if block.parent is parent.before_region:
            yield parent.arguments[number]
            yield cast("Operation", parent.after_region.block.last_op).operands[number]
        else:
            yield cast("Any", parent.before_region.block.last_op).args[number]
    elif isinstance(parent, Operation) and block.parent is not None and block is not block.parent.first_block:
        for other in block.parent.blocks:
            last = other.last_op
            if last is not None and block in last.successors:
                yield from _passed(last, block, number)


def _passed(last: Operation, block: Block, number: int) -> Iterator[SSAValue]:
    """What a branch passes: all memrefs of the type that it has, for no branch mixes more than a few."""
    wanted = block.args[number].type
    yield from (v for v in last.operands if v.type == wanted)


class Lifetimes:
    """The walk of a function along its control flow, with what may have been freed before."""

    def __init__(self, memory: Memory):
        self.memory = memory

    def check(self, function: Operation) -> None:
        """Refuses uses of what may have been freed, and other memory's freeing."""
        self._region(function.regions[0], _NONE)

    def _region(self, region: Region, freed: Roots) -> Roots:
        """What may have been freed at the end of a region."""
        if not region.blocks:
            return freed
        before: dict[Block, Roots] = {region.blocks[0]: freed}
        waiting, ended = [region.blocks[0]], freed
        while waiting:
            block = waiting.pop()
            after = self._block(block, before[block])
            last = block.last_op
            successors = list(last.successors) if last is not None else []
            ended = ended if successors else ended | after
            for target in successors:
                joined = before.get(target, _NONE) | after
                if target not in before or joined != before[target]:
                    before[target] = joined
                    waiting.append(target)
        return ended

    def _block(self, block: Block, freed: Roots) -> Roots:
        for op in block.ops:
            for value in op.operands:
                if is_memory(value) and (gone := self.memory.roots(value) & freed):
                    self._refuse_use(op, next(iter(gone)))
            if isinstance(op, memref.DeallocOp):
                freed |= self._freed(op)
            elif isinstance(op, memref.AllocOp | func.CallOp):
                freed -= frozenset(op.results) - self.memory.carried
            elif op.regions:
                freed = self._nested(op, freed)
        return freed

    def _nested(self, op: Operation, freed: Roots) -> Roots:
        if isinstance(op, scf.IfOp | scf.IndexSwitchOp | scf.ExecuteRegionOp | KeptRegionOp):
            ends = [self._region(region, freed) for region in op.regions]
            whole = all(region.blocks for region in op.regions)
            return frozenset[SSAValue]().union(*ends, _NONE if whole else freed)
        while True:
            after = freed
            for region in op.regions:
                after = self._region(region, after)
            if after <= freed:
                return freed
            freed |= after

    def _freed(self, op: memref.DeallocOp) -> Roots:
        roots = self.memory.roots(op.memref)
        value = start_of(op.memref)
        if not self.memory.owned(value) or roots != frozenset((value,)):
            message = f"'{op.name}' frees a {op.memref.type} that is not proven to be memory which this function made"
            raise PassError(op, "guard-dealloc", message, hint=FLAG)
        return roots

    def _refuse_use(self, op: Operation, root: SSAValue) -> None:
        name = f"%{root.name_hint}" if root.name_hint else f"a {root.type}"
        again = "frees" if isinstance(op, memref.DeallocOp) else "uses"
        message = f"'{op.name}' {again} {name}, which may have been freed before"
        raise PassError(op, "guard-use-after-free", message, hint="free it behind its last use, once on each way there")


def check_returns(memory: Memory, function: Operation) -> None:
    """Refuses to return what is gone when the function ends, or of which nothing is known."""
    for op in operations(function):
        if op.name not in ("func.return", "memref.alloca_scope.return"):
            continue
        for value in op.operands:
            for root in memory.roots(value) if is_memory(value) else ():
                if isinstance(root.owner, memref.AllocaOp):
                    message = f"'{op.name}' gives a {value.type} on the stack, which is gone then"
                    raise PassError(op, "guard-stack-return", message, hint="make it by memref.alloc")
