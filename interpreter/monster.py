"""The dialect monster: elements as the coordinates they are of. Imported where a module has operations of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hologram.dialects.monster import constants, elements
from hologram.interpreter.core.machine import Handler, Machine
from hologram.interpreter.core.values import Value, isa_type, scalars
from hologram.interpreter.rings import SCALARS, run


def constant(machine: Machine, op: constants.ConstantOp, args: list[Any]) -> Sequence[Value]:
    """A number of the Monster."""
    return (scalars([op.value], isa_type(op.result.type)).reshape(()),)


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys((op.name for op in elements.OPS), run),
    constants.ConstantOp.name: constant,
}
"""What executes each operation, by name."""

__all__ = ["HANDLERS", "SCALARS"]
