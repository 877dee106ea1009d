"""The pass `mem2reg`: elements of small local arrays become values, carried through structured control.

An array qualifies if every use loads or stores an element at constant indices. Each element is then a variable. Two
walks are made for it: one that finds whether each load is behind a store on every path, and one that rewrites. A
variable that may be read before it is written stays in memory, where the reference interpreter reports it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import ConstantLike

from hologram.dialects.atlas.instructions.types import Space
from hologram.dialects.atlas.lanes.control import ExitOp, IfOp, LoopOp
from hologram.dialects.atlas.lanes.memory import AllocaOp, LdlOp, StlOp, space_of
from hologram.support.walking import operations

Element: TypeAlias = tuple[int, ...]
_LOADS = (memref.LoadOp, LdlOp)
_STORES = (memref.StoreOp, StlOp)
_CHOICES = (scf.IfOp, IfOp)
_LOOPS = (scf.ForOp, LoopOp)


class _ReadTooEarly(Exception):
    """A load may come before every store."""


@dataclass(frozen=True)
class Mem2RegPass(ModulePass):
    """Promotes elements of `memref.alloca` and of local `atlas.alloca` to values.

    Loads and stores may stand in `scf.if`, `scf.for`, `atlas.if` and `atlas.loop`, whose results then carry the value.

    Before::

        %m = atlas.alloca : memref<1xf32, #atlas.space<local>>
        atlas.stl f32 %zero, %m[%c0 : i64] : memref<1xf32, #atlas.space<local>>
        atlas.loop %n : i32 {
        ^bb0(%i: i32):
          %v = atlas.ldl f32 %m[%c0 : i64] : memref<1xf32, #atlas.space<local>>
          %w = atlas.add f32 %v, %x
          atlas.stl f32 %w, %m[%c0 : i64] : memref<1xf32, #atlas.space<local>>
          atlas.yield
        }

    After::

        %r = atlas.loop %n : i32 iter(%zero : f32) {
        ^bb0(%i: i32, %v: f32):
          %w = atlas.add f32 %v, %x
          atlas.yield %w : f32
        }
    """

    name = "mem2reg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in operations(op):
            is_local = isinstance(inner, AllocaOp) and space_of(inner.result.type) is Space.local
            if is_local or isinstance(inner, memref.AllocaOp):
                _promote(inner)


def _promote(alloca: Operation) -> None:
    array, block = alloca.results[0], alloca.parent
    assert block is not None
    uses: dict[Element, list[Operation]] = {}
    for use in array.uses:
        element = _element(use.operation, array)
        if element is None or not _reachable(use.operation, block):
            return
        uses.setdefault(element, []).append(use.operation)
    for accesses in uses.values():
        variable = _Variable(array, set(accesses), cast("Any", array.type).element_type)
        try:
            variable.check(block, False)
        except _ReadTooEarly:
            continue
        variable.rewrite(block, None)
    if array.first_use is None:
        Rewriter.erase_op(alloca)


def _element(op: Any, array: SSAValue) -> Element | None:
    """The element that an operation loads or stores, if it is one at constant indices within the array."""
    if not isinstance(op, (*_LOADS, *_STORES)) or op.memref is not array:
        return None
    if isinstance(op, LdlOp | StlOp) and op.count > 1:
        return None
    type: Any = array.type
    value = op.value if isinstance(op, _STORES) else op.results[0]
    if value.type != type.element_type:
        return None
    indices: Sequence[SSAValue] = op.indices
    constants = [ConstantLike.get_constant_value(index) for index in indices]
    numbers = tuple(attr.value.data for attr in constants if isinstance(attr, IntegerAttr))
    sizes: Sequence[int] = type.get_shape()
    inside = len(numbers) == len(constants) and all(0 <= n < size for n, size in zip(numbers, sizes, strict=True))
    return numbers if inside else None


def _reachable(op: Operation, block: Block) -> bool:
    """Return whether only control that carries values lies between a block and an operation somewhere in it."""
    while op.parent is not block:
        parent = op.parent_op()
        if parent is None or not isinstance(parent, (*_CHOICES, *_LOOPS)):
            return False
        op = parent
    return True


@dataclass(frozen=True)
class _Variable:
    """One element and its accesses."""

    array: SSAValue
    accesses: set[Operation]
    type: Attribute

    def _inside(self, op: Operation, kinds: tuple[type[Operation], ...]) -> bool:
        """Return whether there is an access of these kinds in an operation's regions."""
        return any(isinstance(access, kinds) and op.is_ancestor(access) for access in self.accesses)

    # Whether each load finds a value

    def check(self, block: Block, written: bool) -> bool:
        """Return whether the variable is written at the end of a block; raises _ReadTooEarly."""
        for op in block.ops:
            if op in self.accesses:
                if isinstance(op, _STORES):
                    written = True
                elif not written:
                    raise _ReadTooEarly
            elif isinstance(op, (*_CHOICES, *_LOOPS)) and self._inside(op, (*_LOADS, *_STORES)):
                ends = [self.check(region.block, written) for region in op.regions if region.blocks]
                if isinstance(op, _CHOICES):
                    written = all(ends) and (written or len(ends) == 2)
        # What comes behind the end of a lane comes never.
        return written or isinstance(block.last_op, ExitOp)

    # The rewrite

    def rewrite(self, block: Block, value: SSAValue | None) -> SSAValue | None:
        """Replaces the accesses of a block by values; returns the value at its end, None if some path gives none."""
        for op in list(block.ops):
            if op in self.accesses:
                value = self._access(op, value)
            elif isinstance(op, (*_CHOICES, *_LOOPS)) and self._inside(op, (*_LOADS, *_STORES)):
                value = self._choice(op, value) if isinstance(op, _CHOICES) else self._loop(op, value)
        return value

    def _access(self, op: Any, value: SSAValue | None) -> SSAValue | None:
        self.accesses.discard(op)
        if isinstance(op, _STORES):
            stored: SSAValue = op.value
            Rewriter.erase_op(op)
            return stored
        assert value is not None
        Rewriter.replace_op(op, [], [value])
        return value

    def _choice(self, op: Any, value: SSAValue | None) -> SSAValue | None:
        stores = self._inside(op, _STORES)
        ends = [self.rewrite(region.block, value) if region.blocks else value for region in op.regions]
        leaves = [bool(region.blocks) and isinstance(region.block.last_op, ExitOp) for region in op.regions]
        if not stores or any(end is None and not left for end, left in zip(ends, leaves, strict=True)):
            return None if stores else value
        regions = [op.detach_region(region) for region in list(op.regions)]
        for region, end in zip(regions, ends, strict=True):
            if not region.blocks:
                region.add_block(Block([_yield(op, ())]))
            _yield_more(op, region, end)
        types = [*op.result_types, self.type]
        condition = op.operands[0]
        new = scf.IfOp(condition, types, *regions) if isinstance(op, scf.IfOp) else IfOp(condition, types, *regions)
        return _put(op, new)

    def _loop(self, op: Any, value: SSAValue | None) -> SSAValue | None:
        if value is None or not self._inside(op, _STORES):
            self.rewrite(op.body.block, value)
            return value
        body: Region = op.detach_region(op.body)
        carried = body.block.insert_arg(self.type, len(body.block.args))
        end = self.rewrite(body.block, carried)
        _yield_more(op, body, end)
        starts = [*op.iter_args, value]
        if isinstance(op, scf.ForOp):
            return _put(op, scf.ForOp(op.lb, op.ub, op.step, starts, body))
        return _put(op, LoopOp(op.count, starts, body))


def _yield(op: Operation, values: Sequence[SSAValue]) -> Operation:
    from hologram.dialects.atlas.arrays.base import YieldOp

    make: Callable[..., Operation] = scf.YieldOp if isinstance(op, scf.IfOp | scf.ForOp) else YieldOp
    return make(*values)


def _yield_more(op: Operation, region: Region, value: SSAValue | None) -> None:
    """Adds a value to what a region yields, unless the lane ends in it."""
    last = region.block.last_op
    assert last is not None
    if not isinstance(last, ExitOp):
        assert value is not None
        Rewriter.replace_op(last, _yield(op, [*last.operands, value]), [])


def _put(op: Operation, new: Operation) -> SSAValue:
    """Puts an operation with one more result in the place of `op`; returns that result."""
    new.attributes |= op.attributes
    new.location = op.location
    Rewriter.replace_op(op, new, new.results[:-1])
    return new.results[-1]
