"""The gpu.modules that an output form for devices prints."""

from __future__ import annotations

from xdsl.ir import Operation

from hologram.dialects import gpu
from hologram.errors import PassError
from hologram.support.walking import operations


def device_modules(module: Operation) -> list[gpu.ModuleOp]:
    """The gpu.modules of a module, which has some."""
    modules = [op for op in operations(module) if isinstance(op, gpu.ModuleOp)]
    if not modules:
        raise PassError(
            module,
            "device-code-none",
            "code for devices is printed of gpu.modules, and there are none",
            hint="pipelines to devices make them: 'hologram-to-cuda{to=device}' and so on",
        )
    return modules
