"""The table of everything the interpreter executes at host and array level, by operation name."""

from __future__ import annotations

from importlib import import_module

from xdsl.dialects.builtin import ModuleOp

from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.declaration import Instruction, from_outside
from hologram.dialects.hologram import elementwise
from hologram.interpreter.arrays import ARRAYS
from hologram.interpreter.core.host import HOST, fence
from hologram.interpreter.core.machine import Handler, run_scalar
from hologram.interpreter.core.scalars import SCALARS, TRAPPING, evaluated, unsupported
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
    outside = {name: by for name, row in KINDS["dialect"].rows.items() if (by := row.more.get("interpreter"))}
    later = outside | {dialect: f"{__package__}.{name}" for dialect, name in _LATER.items()}
    for dialect in {op.name.partition(".")[0] for op in module.walk()} & later.keys():
        imported = import_module(later[dialect])
        HANDLERS.update(getattr(imported, "HANDLERS", {}))
        scalars = getattr(imported, "SCALARS", {})
        SCALARS.update(scalars)
        TRAPPING.update(scalars)
    return HANDLERS
