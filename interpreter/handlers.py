"""The table of everything the interpreter executes at host and array level, by operation name."""

from __future__ import annotations

from importlib import import_module

from xdsl.dialects.builtin import ModuleOp

from hologram.interpreter.arrays import ARRAYS
from hologram.interpreter.core.host import HOST, fence
from hologram.interpreter.core.machine import Handler, run_scalar
from hologram.interpreter.core.scalars import SCALARS, TRAPPING, unsupported
from hologram.interpreter.lanes.launch import LAUNCH
from hologram.interpreter.tensors import TENSORS
from hologram.support.registry import Registry

HANDLERS = Registry[Handler](
    # By its name: the dialect llvm is not imported for this one.
    {**dict.fromkeys(SCALARS.table, run_scalar), **HOST, **ARRAYS, **TENSORS, **LAUNCH, "llvm.fence": fence},
    missing=unsupported,
)
"""What executes each operation."""

_LATER = {"algebra": "rings", "class": "classes", "monster": "monster", "sigil": "circuits", "torus": "rings"}
"""Dialects whose handlers are loaded for the modules that have operations of them, and the modules here that have them:
`HANDLERS` by operation name, and `SCALARS`, each of which may trap."""


def handlers_for(module: ModuleOp) -> Registry[Handler]:
    """The table, after what the dialects of `module` need was added."""
    for dialect in {op.name.partition(".")[0] for op in module.walk()} & _LATER.keys():
        imported = import_module(f"{__package__}.{_LATER[dialect]}")
        HANDLERS.update(imported.HANDLERS)
        SCALARS.update(imported.SCALARS)
        TRAPPING.update(imported.SCALARS)
    return HANDLERS
