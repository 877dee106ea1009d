"""Copies constant tables that a kernel looks up often into workgroup memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, ModuleOp, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from hologram.dialects import gpu
from hologram.dialects.layouts import byte_size
from hologram.support.walking import operations

OFTEN = 4
"""The loads of a table from which on it is copied: fewer cost less than the copy and its barrier."""
MOST_BYTES = 4096
"""Of a table that is copied."""
SHARED_BYTES = 32768
"""Of workgroup memory that every device has; a table that does not fit beside what the kernel has stays where it is."""
INDEX = IndexType()

Uses = list[memref.GetGlobalOp]


@dataclass(frozen=True)
class StageTablesPass(ModulePass):
    """Has the lanes of a block copy each constant table that their kernel looks up at four places or more into
    workgroup memory, at the kernel's start, and look it up there.

    Lanes look up places of their own, which costs a transaction each in global memory, and one for all in workgroup
    memory while they differ in the bank. Tables of more than 4 KiB, of functions that kernels call, and those that are
    used for anything but loads stay where they are, as do those that take the kernel past 32 KiB of workgroup memory.

    Before::

        gpu.func @k(%x: memref<?xf32>) kernel {
          %t = memref.get_global @table : memref<9x16xf32>
          %a = memref.load %t[%c0, %i] : memref<9x16xf32>
          ...
        }

    After::

        gpu.func @k(%x: memref<?xf32>) workgroup(%w : memref<9x16xf32, #gpu.address_space<workgroup>>) kernel {
          %t = memref.get_global @table : memref<9x16xf32>
          scf.for %n = %lane to %c144 step %lanes {
            ... memref.store of what memref.load gives of %t, at %n div 16 and %n mod 16
          }
          gpu.barrier
          %a = memref.load %w[%c0, %i] : memref<9x16xf32, #gpu.address_space<workgroup>>
          ...
        }
    """

    name = "stage-tables"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [o for o in operations(op) if isinstance(o, gpu.FuncOp) and o.kernel is not None]:
            tables = _tables(kernel)
            if tables:
                _stage(kernel, tables)


def _tables(kernel: gpu.FuncOp) -> list[Uses]:
    """The uses of each table that is to be copied."""
    found: dict[str, Uses] = {}
    for op in operations(kernel):
        if isinstance(op, memref.GetGlobalOp):
            found.setdefault(op.name_.string_value(), []).append(op)
    room = SHARED_BYTES - sum(_bytes(cast("MemRefType[Attribute]", v.type)) for v in kernel.workgroup)
    chosen: list[Uses] = []
    for uses in found.values():
        if _is_worth_it(uses) and (bytes := _bytes(_type(uses[0]))) <= room:
            room -= bytes
            chosen.append(uses)
    return chosen


def _bytes(type: MemRefType[Attribute]) -> int:
    return (byte_size(type.element_type) or SHARED_BYTES) * math.prod(type.get_shape())


def _is_worth_it(uses: Uses) -> bool:
    declared = SymbolTable.lookup_symbol(uses[0], uses[0].name_)
    if not isinstance(declared, memref.GlobalOp) or declared.constant is None:
        return False
    loads = [use.operation for get in uses for use in get.memref.uses]
    return (
        len(loads) >= OFTEN
        and _bytes(_type(uses[0])) <= MOST_BYTES
        and all(isinstance(op, memref.LoadOp) for op in loads)
    )


def _type(op: memref.GetGlobalOp) -> MemRefType[Attribute]:
    return op.memref.type


def _stage(kernel: gpu.FuncOp, tables: Sequence[Uses]) -> None:
    block = kernel.body.blocks[0]
    first = block.first_op
    assert first is not None
    new = _At(InsertPoint.before(first), first.location)
    lane, lanes = new.lane(kernel)
    for uses in tables:
        copy = _attribution(kernel, _type(uses[0]))
        source = new(memref.GetGlobalOp(uses[0].name_, uses[0].memref.type))
        new.copy(source, copy, lane, lanes)
        for op in uses:
            op.memref.replace_all_uses_with(copy)
            Rewriter.erase_op(op)
    new(gpu.BarrierOp())


def _attribution(kernel: gpu.FuncOp, type: MemRefType[Attribute]) -> SSAValue:
    """A new buffer that the lanes of a block share."""
    held = MemRefType(type.element_type, type.get_shape(), type.layout, gpu.WORKGROUP)
    place = kernel.argument_count + kernel.workgroup_count
    argument = kernel.body.blocks[0].insert_arg(held, place)
    argument.name_hint = "table"
    kernel.attributes["workgroup_attributions"] = IntegerAttr(kernel.workgroup_count + 1, i64)
    return argument


class _At:
    """Adds operations at a place, with a location."""

    def __init__(self, place: InsertPoint, location: Any):
        self._builder = Builder(place)
        self._location = location

    def __call__(self, op: Operation) -> Any:
        op.location = self._location
        self._builder.insert(op)
        return op.results[0] if op.results else None

    def index(self, value: int) -> SSAValue:
        return self(arith.ConstantOp(IntegerAttr(value, INDEX)))

    def lane(self, kernel: gpu.FuncOp) -> tuple[SSAValue, SSAValue]:
        """The lane's number in its block, and how many there are."""
        known = kernel.known_block_size
        sizes = None if known is None else [int(n) for n in known.get_values()]
        lane: SSAValue | None = None
        lanes: SSAValue | None = None
        for axis, dimension in reversed([*enumerate((gpu.X, gpu.Y, gpu.Z))]):
            if sizes is not None and sizes[axis] == 1:
                continue
            size = self(gpu.BlockDimOp(dimension)) if sizes is None else self.index(sizes[axis])
            own = self(gpu.ThreadIdOp(dimension))
            lane = own if lane is None else self(arith.AddiOp(self(arith.MuliOp(lane, size)), own))
            lanes = size if lanes is None else self(arith.MuliOp(lanes, size))
        return (self.index(0) if lane is None else lane, self.index(1) if lanes is None else lanes)

    def copy(self, source: SSAValue, target: SSAValue, lane: SSAValue, lanes: SSAValue) -> None:
        """A loop over the elements, in which each lane has its own."""
        shape = cast("MemRefType[Attribute]", source.type).get_shape()
        end = self.index(math.prod(shape))
        body = Block(arg_types=[INDEX])
        inside = _At(InsertPoint.at_end(body), self._location)
        rest: SSAValue = body.args[0]
        places: list[SSAValue] = []
        for size in reversed(shape[1:]):
            extent = inside.index(size)
            places.append(inside(arith.RemUIOp(rest, extent)))
            rest = inside(arith.DivUIOp(rest, extent))
        indices = [rest, *reversed(places)]
        value = inside(memref.LoadOp.get(source, indices))
        inside(memref.StoreOp.get(value, target, indices))
        inside(scf.YieldOp())
        self(scf.ForOp(lane, end, lanes, [], body))
