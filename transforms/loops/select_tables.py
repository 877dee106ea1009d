"""Looks up small constant tables by choices instead of loads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    MemRefType,
    ModuleOp,
    i32,
)
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import SymbolTable

from hologram.dialects import gpu
from hologram.dialects.arith import constant_of
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.shapes import written_out
from hologram.support.walking import operations

MOST = 16
"""The columns of a table that is looked up so, at most; there are a power of two."""


@dataclass(frozen=True)
class SelectTablesPass(ModulePass):
    """Has the lanes of kernels choose among the constants of a row of a table of up to sixteen columns, by the bits of
    the column's number, for devices where a load is made lane by lane: fifteen choices are made for all lanes at once.

    Tables whose row is not known, or that have more columns, stay in memory.

    Before::

        %t = memref.get_global @table : memref<1x4xf32>
        %a = memref.load %t[%c0, %i] : memref<1x4xf32>

    After::

        %n = arith.index_cast %i : index to i32
        %low = arith.cmpi ne, (arith.andi %n, %c1), %c0 : i32
        %high = arith.cmpi ne, (arith.andi %n, %c2), %c0 : i32
        %a = arith.select %high, (arith.select %low, %t3, %t2), (arith.select %low, %t1, %t0) : f32
    """

    name = "select-tables"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for module in [o for o in operations(op) if isinstance(o, gpu.ModuleOp)]:
            for load in [o for o in operations(module) if isinstance(o, memref.LoadOp)]:
                if (row := _row(load)) is not None:
                    _choose(load, row)
            for get in [o for o in operations(module) if isinstance(o, memref.GetGlobalOp) and not o.memref.uses]:
                Rewriter.erase_op(get)


def _row(load: memref.LoadOp) -> list[Any] | None:
    """The values of the row that a load looks at; None if it is not known, or too long."""
    get = load.memref.owner
    if not isinstance(get, memref.GetGlobalOp):
        return None
    declared = SymbolTable.lookup_symbol(get, get.name_)
    type = cast("MemRefType[Any]", get.memref.type)
    if not isinstance(declared, memref.GlobalOp) or declared.constant is None or not type.get_num_dims():
        return None
    columns, values = type.get_shape()[-1], declared.initial_value
    if columns not in (2, 4, 8, MOST) or not isinstance(values, DenseIntOrFPElementsAttr):
        return None
    row = 0
    for size, index in zip(type.get_shape(), load.indices[:-1], strict=False):
        if (number := constant_of(index)) is None:
            return None
        row = row * size + number
    return list(written_out(values).get_values())[row * columns : (row + 1) * columns]


def _choose(load: memref.LoadOp, row: list[Any]) -> None:
    core = OpBuilder(load).core
    level = [core.constant(value, load.res.type) for value in row]
    column, bit = core.index_cast(load.indices[-1], i32), 1
    while len(level) > 1:
        odd = core.compare("ne", core.both(column, bit), 0)
        level = [core.select(odd, b, a) for a, b in zip(level[::2], level[1::2], strict=True)]
        bit *= 2
    Rewriter.replace_op(load, [], level)
