"""WGSL modules without the checks that wgpu adds to what it does not trust.

What kernels access is proven in bounds or guarded when they are compiled, and their loops end as they do on other
devices. wgpu's own bounds on indices and counters in loops cost much in code as tight as products of matrices.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

NO_CHECKS = 0


def create(device: Any, text: str) -> Any:
    """The module of a text, checked where this wgpu has no other modules."""
    native: Any = import_module("wgpu.backends.wgpu_native")
    calls: Any = import_module("wgpu.backends.wgpu_native._api")
    # By way of the calls that raise what the driver says.
    trusted: Any = getattr(calls.libf, "wgpuDeviceCreateShaderModuleTrusted", None)
    if trusted is None:
        return device.create_shader_module(code=text)
    ffi, lib = native.ffi, native.lib
    code = ffi.new("char[]", text.encode())
    source: Any = ffi.new("WGPUShaderSourceWGSL *")
    source.chain.sType = lib.WGPUSType_ShaderSourceWGSL
    source.code.data, source.code.length = code, len(code) - 1
    described: Any = ffi.new("WGPUShaderModuleDescriptor *", {"nextInChain": ffi.addressof(source.chain)})
    return calls.GPUShaderModule("", trusted(device._internal, described, NO_CHECKS), device)
