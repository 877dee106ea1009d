"""The composition of the `llvm` dialect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from xdsl.dialects import llvm as stock
from xdsl.ir import Attribute, Dialect, Operation

from hologram.dialects.families import defined
from hologram.dialects.llvm import (
    arithmetic,
    attributes,
    control,
    intrinsics,
    memory,
    symbols,
    types,
    values,
)

T = TypeVar("T", Operation, Attribute)

_OURS = (
    arithmetic,
    attributes,
    control,
    intrinsics,
    memory,
    symbols,
    types,
    values,
)


def _with_stock(ours: list[type[T]], stocks: Iterable[type[T]]) -> list[type[T]]:
    """xDSL's definitions that none of ours replaces, then ours."""
    replaced = {definition.name for definition in ours}
    return [*(definition for definition in stocks if definition.name not in replaced), *ours]


Llvm = Dialect(
    "llvm",
    _with_stock(
        [*(op for module in _OURS for op in defined(vars(module), Operation)), *intrinsics.INTRINSICS.values()],
        stock.LLVM.operations,
    ),
    _with_stock([a for module in _OURS for a in defined(vars(module), Attribute)], stock.LLVM.attributes),
)
