"""The composition of the `llvm` dialect."""

from __future__ import annotations

from xdsl.dialects import llvm as stock
from xdsl.ir import Attribute, Operation

from hologram.dialects.custom.rows import RowDialect
from hologram.dialects.families import defined, over_stock
from hologram.dialects.llvm import arithmetic, attributes, control, intrinsics, memory, symbols, types, values

_MODULES = (arithmetic, attributes, control, intrinsics, memory, symbols, types, values)
_OPERATIONS = [op for module in _MODULES for op in defined(vars(module), Operation)]
_ATTRIBUTES = [attribute for module in _MODULES for attribute in defined(vars(module), Attribute)]

Llvm = RowDialect(
    "llvm",
    over_stock([*_OPERATIONS, *intrinsics.INTRINSICS.values()], stock.LLVM.operations),
    over_stock(_ATTRIBUTES, stock.LLVM.attributes),
    rows="hologram.dialects.llvm.rows",
    has_all_types=True,
)
