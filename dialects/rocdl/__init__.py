"""The `rocdl` dialect as upstream MLIR 22 has it: what AMD's GPUs execute beside LLVM's instructions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.ir import Dialect
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, OpTrait, Pure

from hologram.dialects.families import operation_of
from hologram.dialects.llvm.special_registers import BareOp, RangedRegisterOp


def _operation(base: type[Any], name: str, meaning: str, *traits: OpTrait) -> type[Any]:
    return operation_of(base, f"rocdl.{name}", meaning, *traits, module=__name__)


_BY_AXIS = {
    "workitem.id": "The lane's position in its block along {}.",
    "workgroup.id": "The block's position in the grid along {}.",
    "workgroup.dim": "The lanes of a block along {}.",
    "grid.dim": "The blocks of the grid along {}.",
}
REGISTERS: Mapping[str, type[Any]] = {
    f"{name}.{axis}": _operation(RangedRegisterOp, f"{name}.{axis}", meaning.format(axis), Pure())
    for name, meaning in _BY_AXIS.items()
    for axis in "xyz"
}
"""The operations that give positions and sizes, by their names behind `rocdl.`."""

_EFFECTS = (MemoryReadEffect(), MemoryWriteEffect())
BarrierOp = _operation(BareOp, "barrier", "Waits for the block's lanes, and orders their accesses.", *_EFFECTS)

OPERATIONS: Mapping[str, type[Any]] = {op.name: op for op in (*REGISTERS.values(), BarrierOp)}

Rocdl = Dialect("rocdl", [*OPERATIONS.values()], [])
