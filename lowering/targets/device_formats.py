"""The formats of device code, one row each below; a format is imported when it is asked for.

A format is a function `(module, target, features) -> bytes`. `module` is the gpu.module, in the flat form or what
the format's own conversion made of that; `target` is the architecture or version that is asked for, empty for the
format's default, and `features` are what the device has of what devices may lack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

from hologram.dialects import gpu
from hologram.errors import UsageError, did_you_mean

Emit = Callable[[gpu.ModuleOp, str, Sequence[str]], bytes]

_FORMATS: dict[str, tuple[str, str, str]] = {
    # format: (module in hologram.lowering, function, what gpu.object calls it)
    "msl": ("targets.text.kernels", "msl_code", "assembly"),
    "opencl-c": ("targets.text.kernels", "opencl_code", "assembly"),
    "ptx": ("targets.ptx.ptx", "ptx_code", "assembly"),
    "spirv": ("targets.spirv.target", "spirv_code", "bin"),
    "wgsl": ("targets.text.kernels", "wgsl_code", "assembly"),
    "mlir": ("targets.text.device_text", "mlir_code", "offload"),
}
_added: dict[str, tuple[str, str, str]] = {}
"""Formats of plugins."""


@dataclass(frozen=True)
class Format:
    """A row of the registry, imported."""

    emit: Emit
    kind: str


def add_format(name: str, module: str, function: str, kind: str = "assembly") -> None:
    """Adds a format of a plugin: `module` is imported when the format is asked for, and has the function."""
    _added[name] = (module, function, kind)


def find_format(name: str) -> Format:
    """Return the format called `name`."""
    if name in _added:
        module, function, kind = _added[name]
        return Format(getattr(import_module(module), function), kind)
    if name not in _FORMATS:
        known = [*_FORMATS, *_added]
        raise UsageError(
            "device-format",
            f"there is no format '{name}' of device code",
            hint=did_you_mean(name, known) or f"there are {', '.join(sorted(known))}",
        )
    module, function, kind = _FORMATS[name]
    return Format(getattr(import_module(f"hologram.lowering.{module}"), function), kind)


def target_of(name: str, target: str) -> Attribute:
    """Return the target that a gpu.object of a format names: upstream's attribute where there is one, else words."""
    if name == "ptx":
        from hologram.lowering.targets.ptx.ptx import ptx_target

        return ptx_target(target)
    return StringAttr(" ".join(filter(None, (name, target))))
