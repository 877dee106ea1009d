"""The `rocdl` dialect as upstream MLIR 22 has it: what AMD's GPUs execute beside LLVM's instructions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import I32, I64, i32
from xdsl.ir import Dialect, Operation
from xdsl.irdl import IRDLOperation, opt_prop_def, result_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, OpTrait, Pure

from hologram.dialects.families import member
from hologram.dialects.llvm import ConstantRangeAttr


class RegisterOp(IRDLOperation):
    """A position or size, whose value may be known to lie in a range."""

    res = result_def(I32 | I64)
    range = opt_prop_def(ConstantRangeAttr)

    assembly_format = "(`range` $range^)? attr-dict `:` type($res)"

    def __init__(self, below: int | None = None, least: int = 0):
        """`below` and `least` bound the value, where that is known."""
        given = {} if below is None else {"range": ConstantRangeAttr(i32, least, below)}
        Operation.__init__(self, result_types=(i32,), properties=given)


class BareOp(IRDLOperation):
    """An operation that its name says all of."""

    assembly_format = "attr-dict"

    def __init__(self) -> None:
        Operation.__init__(self)


def _class_of(base: type[Any], name: str, meaning: str, *traits: OpTrait) -> type[Any]:
    camel = "".join(part.capitalize() for part in name.split("."))
    fields = {"__doc__": meaning, "__module__": __name__, "name": f"rocdl.{name}"}
    return member(base, f"{camel}Op", fields, traits)


_BY_AXIS = {
    "workitem.id": "The lane's position in its block along {}.",
    "workgroup.id": "The block's position in the grid along {}.",
    "workgroup.dim": "The lanes of a block along {}.",
    "grid.dim": "The blocks of the grid along {}.",
}
REGISTERS: Mapping[str, type[Any]] = {
    f"{name}.{axis}": _class_of(RegisterOp, f"{name}.{axis}", meaning.format(axis), Pure())
    for name, meaning in _BY_AXIS.items()
    for axis in "xyz"
}
"""The operations that give positions and sizes, by their names behind `rocdl.`."""

_EFFECTS = (MemoryReadEffect(), MemoryWriteEffect())
BarrierOp = _class_of(BareOp, "barrier", "Waits for the block's lanes, and orders their accesses.", *_EFFECTS)

OPERATIONS: Mapping[str, type[Any]] = {op.name: op for op in (*REGISTERS.values(), BarrierOp)}

Rocdl = Dialect("rocdl", [*OPERATIONS.values()], [])
