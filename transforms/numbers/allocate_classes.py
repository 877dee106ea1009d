"""`allocate-classes`: buffers of a function in classes of class memory, by their lifetimes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, i32
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator

from hologram.classes import CLASS_COUNT
from hologram.dialects.atlas.instructions.types import dtype_of
from hologram.dialects.classes.allocation import FreeClasses, classes_for
from hologram.dialects.classes.tiles import TileOp
from hologram.dialects.shapes import DYNAMIC, is_dense_layout
from hologram.errors import UsageError
from hologram.support.walking import operations


@dataclass(frozen=True)
class AllocateClassesPass(ModulePass):
    """Puts buffers of static size that a function allocates in its own block into classes of class memory. Two buffers
    share classes only if the last use of one comes before the other is made; functions that call each other never do.

    A buffer of one class takes the one that was freed last, a larger one the lowest run that is free. What needs more
    than 48 classes, or finds no run, is returned or has a size that is not known, and what a recursive function or one
    called by a parallel loop allocates, stays an ordinary buffer (class-free).

    The classes are those of the executor, so the module's functions must neither run twice at a time on one executor
    nor on classes that hold something else: `first` and `last` say which classes may be taken.

    Before::

        %a = memref.alloc() : memref<3072xf32>
        ... uses of %a
        memref.dealloc %a : memref<3072xf32>

    After::

        %c = arith.constant 0 : i32
        %a = class.tile %c : i32 to memref<3072xf32>
        ... uses of %a
    """

    name = "allocate-classes"
    first: int = 0
    """The first class that may be taken."""
    last: int = CLASS_COUNT - 1
    """The last class that may be taken."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not 0 <= self.first <= self.last < CLASS_COUNT:
            raise UsageError(
                "allocate-classes-range",
                f"allocate-classes can't take the classes from {self.first} to {self.last}",
                hint=f"classes go from 0 to {CLASS_COUNT - 1}",
            )
        calls = Calls.of(op)
        ends: dict[str, int] = {}
        for name in calls.callees_first():
            start = max((ends[callee] for callee in calls.of_function[name] if callee in ends), default=self.first)
            free = range(start, self.last + 1)
            ends[name] = start if name in calls.excluded else place_buffers(calls.functions[name], free)


@dataclass(frozen=True)
class Calls:
    """The calls among functions."""

    functions: dict[str, func.FuncOp]
    of_function: dict[str, set[str]]
    """The functions that each one reaches by calls."""
    excluded: set[str]
    """Functions that may run several times at once: they reach themselves, or a parallel loop reaches them."""

    @staticmethod
    def of(module: ModuleOp) -> Calls:
        functions = {
            op.sym_name.data: op for op in module.body.block.ops if isinstance(op, func.FuncOp) and op.body.blocks
        }
        direct = {name: set(_callees([op])) & functions.keys() for name, op in functions.items()}
        reached = {name: _closure(direct, callees) for name, callees in direct.items()}
        loops = [op for op in operations(module) if isinstance(op, scf.ParallelOp)]
        parallel = _closure(direct, set(_callees(loops)) & functions.keys())
        return Calls(functions, reached, parallel | {name for name, callees in reached.items() if name in callees})

    def callees_first(self) -> list[str]:
        """The functions, each after those that it reaches; what a recursive one reaches, it may come before."""
        return sorted(self.functions, key=lambda name: len(self.of_function[name] - {name}))


def _callees(roots: Iterable[Operation]) -> list[str]:
    return [op.callee.string_value() for root in roots for op in operations(root) if isinstance(op, func.CallOp)]


def _closure(direct: dict[str, set[str]], start: set[str]) -> set[str]:
    reached, border = set(start), set(start)
    while border:
        border = {callee for name in border for callee in direct[name]} - reached
        reached |= border
    return reached


def place_buffers(function: func.FuncOp, classes: range) -> int:
    """Puts buffers of a function into these classes. Gives the end of those that it took, at least their start."""
    block = function.body.blocks[0]
    order = {op: number for number, op in enumerate(block.ops)}
    free, end = FreeClasses(classes), classes.start
    held: list[tuple[int, range]] = []
    for op in list(block.ops):
        if not isinstance(op, memref.AllocOp) or (count := class_count(op)) == 0:
            continue
        last = last_use(op, order)
        if last is None:
            continue
        for number, taken in [h for h in held if h[0] < order[op]]:
            held.remove((number, taken))
            free.give(taken)
        taken = free.take(count)
        if taken is None:
            continue
        held.append((last, taken))
        end = max(end, taken.stop)
        _replace(op, taken.start)
    return end


def class_count(op: memref.AllocOp) -> int:
    """Return the number of classes that hold the buffer; 0 where classes can't."""
    type = cast("MemRefType[Any]", op.memref.type)
    dtype = dtype_of(type.element_type)
    plain = is_dense_layout(type) and type.memory_space.name == "none" and DYNAMIC not in type.get_shape()
    if not plain or dtype is None or not 8 <= dtype.bits <= 64 or dtype.ir != type.element_type:
        return 0
    return classes_for(type.element_count() * dtype.bytes)


def last_use(op: memref.AllocOp, order: dict[Operation, int]) -> int | None:
    """The number, in the block, of the last operation that may use the memory; None if it may be used after that."""
    last, pending = order[op], list[SSAValue](op.results)
    while pending:
        for use in pending.pop().uses:
            user = use.operation
            place = _in_block(user, order)
            frees = isinstance(user, memref.DeallocOp)
            if place is None or user.has_trait(IsTerminator) or (frees and user is not place):
                return None
            last = max(last, order[place])
            pending += [result for result in user.results if isinstance(result.type, MemRefType)]
    return last


def _in_block(op: Operation, order: dict[Operation, int]) -> Operation | None:
    """The operation of the block that `op` is, or is in; None if it lies in another block."""
    around: Operation | None = op
    while around is not None and around not in order:
        around = around.parent_op()
    return around


def _replace(op: memref.AllocOp, first: int) -> None:
    for use in [use.operation for use in op.memref.uses if isinstance(use.operation, memref.DeallocOp)]:
        Rewriter.erase_op(use)
    constant = arith.ConstantOp(IntegerAttr(first, i32))
    tile = TileOp(constant.result, op.memref.type)
    constant.location = tile.location = op.location
    tile.tile.name_hint = op.memref.name_hint
    assert (block := op.parent) is not None
    block.insert_ops_before([constant, tile], op)
    op.memref.replace_all_uses_with(tile.tile)
    Rewriter.erase_op(op)
