"""Tables of coefficients: functions of f32 as one polynomial an interval, looked up by the lane's interval.

A table has a row a coefficient and sixteen columns, one an interval, so that a row is one register of AVX-512, and one
instruction looks it up for all lanes (`permute-tables`). Each interval has a centre c and a value c0 of the function
there; c is chosen so that c0 is nearly a float (S. Gal, "Computing elementary functions: a new approach for achieving
high accuracy and good performance", LNCS 235, 1986). So the function at x is c0 plus a part that is small, whose
errors count little. `test/math_expansions/intervals.py` makes the tables.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    Float32Type,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    f32,
)
from xdsl.ir import Block, Operation

from hologram.support.walking import symbol_of

INTERVALS = 16
"""The columns of a table."""


def floats(text: str) -> tuple[float, ...]:
    """Numbers that are written in hexadecimal, with blanks between them."""
    return tuple(map(float.fromhex, text.split()))


@dataclass(frozen=True)
class Table:
    """Coefficients by interval."""

    name: str
    """What the global is called."""
    bits: str
    """The floats in hexadecimal, an interval after the other."""

    @cached_property
    def rows(self) -> tuple[tuple[float, ...], ...]:
        """A row a coefficient, of the sixteen intervals' numbers."""
        data = bytes.fromhex(self.bits)
        numbers = struct.unpack(f">{len(data) // 4}f", data)
        count = len(numbers) // INTERVALS
        return tuple(numbers[k::count] for k in range(count))

    @cached_property
    def type(self) -> MemRefType[Float32Type]:
        """The type of the global."""
        return MemRefType(f32, (len(self.rows), INTERVALS))

    @cached_property
    def value(self) -> DenseIntOrFPElementsAttr:
        """The global's initial value."""
        type = TensorType(f32, (len(self.rows), INTERVALS))
        return DenseIntOrFPElementsAttr.from_list(type, [number for row in self.rows for number in row])


Use = tuple[memref.GetGlobalOp, Table]
"""An operation that needs a table's global."""


def declare(uses: Iterable[Use]) -> None:
    """Declares the tables in the modules around their uses, under names that are free there."""
    for use, table in uses:
        block = _symbols_around(use)
        name = _declared(block, table, use)
        use.properties["name"] = SymbolRefAttr(name)


def _symbols_around(op: Operation) -> Block:
    """The block of the nearest symbol table."""
    parent = op.parent_op()
    while parent is not None and parent.name not in ("builtin.module", "gpu.module"):
        parent = parent.parent_op()
    assert parent is not None
    return parent.regions[0].block


def _declared(block: Block, table: Table, use: Operation) -> str:
    """The name of a global in `block` that holds the table; it is made where there is none."""
    number, name = 0, table.name
    taken = {symbol_of(op): op for op in block.ops}
    while (symbol := taken.get(name)) is not None:
        if isinstance(symbol, memref.GlobalOp) and symbol.initial_value == table.value and symbol.constant is not None:
            return name
        number, name = number + 1, f"{table.name}_{number}"
    constant = memref.GlobalOp.get(StringAttr(name), table.type, table.value, constant=UnitAttr())
    constant.location = use.location
    assert block.first_op is not None
    block.insert_op_before(constant, block.first_op)
    return name
