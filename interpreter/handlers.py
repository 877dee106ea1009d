"""The table of everything the interpreter executes at host and array level, by operation name."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from hologram.dialects.atlas.arrays.named import NamedOp
from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.declaration import Instruction, from_outside
from hologram.dialects.hologram import elementwise
from hologram.dialects.hologram.base import TensorOp
from hologram.interpreter.arrays import ARRAYS, run_named
from hologram.interpreter.arrays import evaluated as evaluated_arrays
from hologram.interpreter.core.host import HOST, fence
from hologram.interpreter.core.machine import Handler, Machine, run_scalar
from hologram.interpreter.core.scalars import SCALARS, TRAPPING, evaluated, unsupported
from hologram.interpreter.core.values import Buffer, Value, is_shaped
from hologram.interpreter.lanes.launch import LAUNCH
from hologram.interpreter.tensors import TENSORS
from hologram.interpreter.tensors import run as run_tensor
from hologram.plugins.tables import KINDS, Row
from hologram.support.registry import Registry

HANDLERS = Registry[Handler](
    # By its name: the dialect llvm is not imported for this one.
    {**dict.fromkeys(SCALARS.table, run_scalar), **HOST, **ARRAYS, **TENSORS, **LAUNCH, "llvm.fence": fence},
    missing=unsupported,
)
"""What executes each operation."""


def _from_outside(instruction: Instruction, row: Row) -> None:
    """Registers what executes the operations of a plug-in's instruction."""
    if instruction.is_instruction:
        op = scalar.INSTRUCTIONS[instruction.name]
        SCALARS.update({op: evaluated})
        HANDLERS.update({op: run_scalar})
        TRAPPING.update({op.name} if instruction.traps else ())
    if instruction.tensor:
        HANDLERS.update({elementwise.OUTSIDE[instruction.name]: run_tensor})


from_outside(_from_outside)
_LATER = {"algebra": "rings", "class": "classes", "monster": "monster", "sigil": "circuits", "torus": "rings"}
"""Dialects whose handlers are loaded for the modules that have operations of them, and the modules here that have them:
`HANDLERS` by operation name, and `SCALARS`, each of which may trap."""


def handlers_for(module: ModuleOp) -> Registry[Handler]:
    """The table, after what the dialects of `module` need was added."""
    there = {op.name: type(op) for op in module.walk()}
    dialects = {name.partition(".")[0] for name in there}
    for dialect in dialects & _LATER.keys():
        imported = import_module(f"{__package__}.{_LATER[dialect]}")
        HANDLERS.update(imported.HANDLERS)
        SCALARS.update(imported.SCALARS)
        TRAPPING.update(imported.SCALARS)
    for dialect in dialects & KINDS["dialect"].rows.keys():
        given: Any = KINDS["dialect"].rows[dialect].more.get("interpreter") or {}
        HANDLERS.update(import_module(given).HANDLERS if isinstance(given, str) else given)
    for name, op in there.items():
        if hasattr(op, "evaluate") and HANDLERS.find(op) is None and _is_outside(name):
            HANDLERS.update({op: _handler(op)})
    return HANDLERS


def _is_outside(operation: str) -> bool:
    """Return whether an operation is of a plug-in."""
    return operation in KINDS["operation"].rows or operation.partition(".")[0] in KINDS["dialect"].rows


def _handler(op: type[Operation]) -> Handler:
    """What runs an operation of a plug-in by its `evaluate`, as it runs ours of the same base."""
    return run_named if issubclass(op, NamedOp) else run_tensor if issubclass(op, TensorOp) else _run_evaluate


def _run_evaluate(machine: Machine, op: Operation, args: list[Any]) -> Sequence[Value]:
    """What the method `evaluate` of an operation of a plug-in computes of arrays and numbers."""
    result = evaluated_arrays(op, args)
    return (Buffer(result) if is_shaped(op.results[0].type) else result,)
