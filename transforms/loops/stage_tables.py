"""Copies constant tables that a kernel looks up often into workgroup memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import SymbolTable

from hologram.dialects import gpu
from hologram.dialects.layouts import byte_size
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.verbs import Index
from hologram.support.walking import operations

OFTEN = 4
"""The loads of a table from which on it is copied: fewer cost less than the copy and its barrier."""
MOST_BYTES = 4096
"""Of a table that is copied."""
SHARED_BYTES = 32768
"""Of workgroup memory that every device has; a table that does not fit beside what the kernel has stays where it is."""

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
    tables: dict[str, Uses] = {}
    for op in operations(kernel):
        if isinstance(op, memref.GetGlobalOp):
            tables.setdefault(op.name_.string_value(), []).append(op)
    room = SHARED_BYTES - sum(_bytes(v) for v in kernel.workgroup)
    chosen: list[Uses] = []
    for uses in tables.values():
        if _is_worth_it(uses) and (bytes := _bytes(uses[0].memref)) <= room:
            room -= bytes
            chosen.append(uses)
    return chosen


def _is_worth_it(uses: Uses) -> bool:
    declared = SymbolTable.lookup_symbol(uses[0], uses[0].name_)
    if not isinstance(declared, memref.GlobalOp) or declared.constant is None:
        return False
    loads = [use.operation for get in uses for use in get.memref.uses]
    return (
        len(loads) >= OFTEN
        and _bytes(uses[0].memref) <= MOST_BYTES
        and all(isinstance(op, memref.LoadOp) for op in loads)
    )


def _bytes(buffer: SSAValue) -> int:
    type = cast("MemRefType[Attribute]", buffer.type)
    return (byte_size(type.element_type) or SHARED_BYTES) * type.element_count()


def _stage(kernel: gpu.FuncOp, tables: Sequence[Uses]) -> None:
    block = kernel.body.blocks[0]
    first = block.first_op
    assert first is not None
    at = OpBuilder(first)
    lane, lanes = _lane(at, kernel)
    for uses in tables:
        copy = _attribution(kernel, uses[0].memref.type)
        source = at.op(memref.GetGlobalOp(uses[0].name_, uses[0].memref.type))
        _copy(at, source, copy, lane, lanes)
        for op in uses:
            op.memref.replace_all_uses_with(copy)
            Rewriter.erase_op(op)
    at.emit(gpu.BarrierOp())


def _attribution(kernel: gpu.FuncOp, type: MemRefType[Attribute]) -> SSAValue:
    """A new buffer that the lanes of a block share."""
    held = MemRefType(type.element_type, type.get_shape(), type.layout, gpu.WORKGROUP)
    place = kernel.argument_count + kernel.workgroup_count
    argument = kernel.body.blocks[0].insert_arg(held, place)
    argument.name_hint = "table"
    kernel.attributes["workgroup_attributions"] = IntegerAttr(kernel.workgroup_count + 1, i64)
    return argument


def _lane(at: OpBuilder, kernel: gpu.FuncOp) -> tuple[SSAValue, SSAValue]:
    """The lane's number in its block, and how many there are."""
    known = kernel.known_block_size
    sizes = None if known is None else [int(n) for n in known.get_values()]
    lane: Index | None = None
    lanes: Index = 1
    for axis, dimension in reversed([*enumerate((gpu.X, gpu.Y, gpu.Z))]):
        if sizes is not None and sizes[axis] == 1:
            continue
        size = at.op(gpu.BlockDimOp(dimension)) if sizes is None else at.index(sizes[axis])
        own = at.op(gpu.ThreadIdOp(dimension))
        lane = own if lane is None else at.add(at.mul(lane, size), own)
        lanes = at.mul(lanes, size)
    return at.index(0 if lane is None else lane), at.index(lanes)


def _copy(at: OpBuilder, source: SSAValue, target: SSAValue, lane: SSAValue, lanes: SSAValue) -> None:
    """Emits a loop over the elements, in which each lane has its own."""
    shape = cast("MemRefType[Attribute]", source.type).get_shape()
    with at.loop(lane, math.prod(shape), lanes) as (inside, number):
        indices = inside.split(number, [*shape[:1], *map(inside.index, shape[1:])])
        inside.store(inside.load(source, *indices), target, *indices)
