"""The devices by name: whether each is ready, and if not, why and what would help. Imports nothing of a device."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass

from hologram.errors import DeviceError, did_you_mean

DISTRIBUTION = "hologram-mlir"


@dataclass(frozen=True)
class Device:
    """What a device needs on this machine."""

    name: str
    title: str
    compiled_for: bool
    """Whether this version has a pipeline to it."""
    extra: str | None = None
    """The pip extra that brings its packages."""
    packages: tuple[str, ...] = ()
    """Modules that must be importable."""
    libraries: tuple[str, ...] = ()
    """System libraries of which one must be found, as `ctypes.util.find_library` names them."""
    driver: str = ""
    """What brings the library."""


DEVICES = {
    device.name: device
    for device in (
        Device("cpu", "this machine's processor", True),
        Device("cuda", "NVIDIA GPUs", False, "cuda", ("cuda.bindings",), ("cuda", "nvcuda"), "NVIDIA's driver"),
        Device("vulkan", "GPUs by Vulkan", False, "vulkan", ("vulkan",), ("vulkan", "vulkan-1"), "a Vulkan loader"),
        Device("webgpu", "GPUs by WebGPU", False, "webgpu", ("wgpu",)),
        Device("opencl", "OpenCL devices", False, "opencl", ("pyopencl",), ("OpenCL",), "an OpenCL loader"),
        Device("wasm", "WebAssembly", False, "wasm", ("wasmtime",)),
    )
}
AUTO = ("cuda", "vulkan", "webgpu", "opencl", "cpu")
"""The order in which `auto` asks."""


@dataclass(frozen=True)
class Status:
    """Whether a device can run programs here."""

    name: str
    title: str
    ready: bool
    why: str
    """What is missing; empty if it is ready."""
    fix: str
    """What would help; empty if it is ready."""


def status(name: str) -> Status:
    """The status of the device called `name`."""
    device = DEVICES[name]
    missing = [f"package '{p}' is not installed" for p in device.packages if not _installed(p)]
    fixes = [f"pip install '{DISTRIBUTION}[{device.extra}]'"] if missing else []
    if device.libraries and not any(map(_is_library, device.libraries)):
        missing.append(f"the library of {device.driver} was not found")
        fixes.append(f"install {device.driver}")
    if not device.compiled_for:
        missing.insert(0, "this version has no code generator for it")
        later = f"; a version that has one will also need: {', '.join(fixes)}" if fixes else ", or a later version"
        fixes = [f"use device 'cpu'{later}"]
    return Status(name, device.title, not missing, "; ".join(missing), "; ".join(fixes))


def _is_library(name: str) -> bool:
    # Imported here: it brings shutil and subprocess, which no compile needs.
    from ctypes.util import find_library

    return find_library(name) is not None


def devices() -> dict[str, Status]:
    """The status of every device by name."""
    return {name: status(name) for name in DEVICES}


def find_device(name: str) -> str:
    """The device to use for `name`, which may be `auto`; a DeviceError if it is unknown or missing."""
    if name == "auto":
        return next(candidate for candidate in AUTO if DEVICES[candidate].compiled_for and status(candidate).ready)
    if name not in DEVICES:
        known = [*DEVICES, "auto"]
        hint = did_you_mean(name, known) or f"the devices are {', '.join(known)}"
        raise DeviceError("device-unknown", f"there is no device '{name}'", hint=hint)
    found = status(name)
    if not found.ready:
        raise DeviceError("device-missing", f"device '{name}' can't be used: {found.why}", hint=found.fix)
    return name


def _installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False
