"""The table of everything the interpreter executes at host and array level, by operation name."""

from __future__ import annotations

from hologram.runtime.interpreter.arrays import ARRAYS
from hologram.runtime.interpreter.extensions import EXTENSIONS
from hologram.runtime.interpreter.host import HOST
from hologram.runtime.interpreter.launch import LAUNCH
from hologram.runtime.interpreter.machine import Handler, run_scalar
from hologram.runtime.interpreter.scalars import SCALARS
from hologram.runtime.interpreter.tensors import TENSORS
from hologram.runtime.interpreter.views import VIEWS

_TABLES = (HOST, ARRAYS, EXTENSIONS, TENSORS, LAUNCH, VIEWS)

HANDLERS: dict[str, Handler] = {
    **{op.name: run_scalar for op in SCALARS},
    **{op.name: handler for table in _TABLES for op, handler in table.items()},
}
