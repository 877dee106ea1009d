"""Finds devices by name, and says whether each is ready, and if not, why and what would help.

It imports nothing of a device.

A kind of devices is a row, `Kind`, of ours or of a plug-in. `opencl:1` names the second device of a kind, and `opencl`
the first.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from hologram.errors import DeviceError, HologramError, did_you_mean
from hologram.errors.arguments import described
from hologram.plugins.tables import KINDS, Row
from hologram.support import forks
from hologram.support.digits import whole_number
from hologram.support.record import Record

if TYPE_CHECKING:
    from hologram.runtime.devices.protocol import Device, DeviceModule

DISTRIBUTION = "hologram-mlir"
MOST_DEVICES = 1 << 20
"""Of one kind."""


class Kind(Record):
    """A kind of devices, and what it needs on this machine."""

    name: str
    title: str
    module: str
    """The module behind the protocol (`hologram.runtime.devices.protocol`)."""
    extra: str | None = None
    """The pip extra of this package that brings its packages."""
    packages: tuple[str, ...] = ()
    """Modules that must be importable."""
    libraries: tuple[str, ...] = ()
    """System libraries of which one must be found, as `ctypes.util.find_library` names them."""
    driver: str = ""
    """What brings the library."""
    stages: Callable[[dict[str, str]], Any] | None = None
    """Of a plugin: the stages of its pipeline, given the device's options. Ours are `hologram-to-NAME`."""
    fault: str = ""
    """Of a plugin that can't be loaded: why."""


_HERE = "hologram.runtime.devices"
CPU = Kind("cpu", "this machine's processor", f"{_HERE}.cpu.device")
CUDA = Kind("cuda", "NVIDIA GPUs", f"{_HERE}.cuda.device", "cuda", (), ("cuda", "nvcuda"), "NVIDIA's driver")
VULKAN = Kind(
    "vulkan",
    "GPUs by Vulkan",
    f"{_HERE}.vulkan.device",
    "vulkan",
    ("vulkan",),
    ("vulkan", "vulkan-1"),
    "a Vulkan loader",
)
WEBGPU = Kind("webgpu", "GPUs by WebGPU", f"{_HERE}.webgpu.device", "webgpu", ("wgpu",))
OPENCL = Kind("opencl", "OpenCL devices", f"{_HERE}.opencl", "opencl", ("pyopencl",))
WASM = Kind("wasm", "WebAssembly", f"{_HERE}.wasm", "wasm", ("wasmtime",))

DEVICES = {kind.name: kind for kind in (CPU, CUDA, VULKAN, WEBGPU, OPENCL, WASM)}
TEXT_ONLY = {
    "metal": "kernels for it are text: -p 'hologram-to-metal{to=device}' -t msl",
    "rocm": "kernels for it are assembly: -p 'hologram-to-cuda{to=flat},convert-gpu-to-rocdl' -t amdgcn",
}
"""What there is in place of devices that one may look for: code for them."""
AUTO = ("cuda", "vulkan", "webgpu", "opencl")
"""The order in which `auto` asks for a GPU, before it takes the processor."""

_open: dict[str, Device] = {}
_lock = forks.rlock()


class Status(Record):
    """The state of a kind of devices here: ready, or why not."""

    name: str
    title: str
    ready: bool
    why: str
    """What is missing; empty if it is ready."""
    fix: str
    """What would help; empty if it is ready."""
    count: int = 0
    """How many devices there are."""


def status(name: str) -> Status:
    """The status of the kind of devices called `name`."""
    kind = find_kind(name)
    count, why, fix = (1, "", "") if kind is CPU else _look(kind)
    return Status(name, kind.title, not why, why, fix, count)


def _look(kind: Kind) -> tuple[int, str, str]:
    """Return how many devices of a kind there are; where none can be used, why, and what would help."""
    if kind.fault:
        return 0, kind.fault, "mend or uninstall the plugin; or use device 'cpu'"
    missing = [f"package '{p}' is not installed" for p in kind.packages if not _installed(p)]
    fixes = [f"pip install '{DISTRIBUTION}[{kind.extra}]'"] if missing and kind.extra else []
    if kind.libraries and not any(map(_is_library, kind.libraries)):
        missing.append(f"the library of {kind.driver} was not found")
        fixes.append(f"install {kind.driver}")
    if missing:
        return 0, "; ".join(missing), "; ".join([*fixes, "or use device 'cpu'"])
    try:
        if count := _module(kind).count():
            return count, "", ""
        why, fix = "this machine has no such device", None
    except DeviceError as error:
        why, fix = error.message, error.hint
    except ImportError as error:
        why, fix = f"its module can't be loaded: {error}", None
    except Exception as error:
        if kind.name in DEVICES:
            raise
        why, fix = f"its module fails: {_message(error)}", None
    return 0, why, fix or "use device 'cpu'"


_libraries: set[str] = set()
"""The system libraries that were found: to look for one starts a process."""


def _is_library(name: str) -> bool:
    if name not in _libraries:
        # Imported here: it brings shutil and subprocess, which no compile needs.
        from ctypes.util import find_library

        if find_library(name) is None:
            return False
        _libraries.add(name)
    return True


def _module(kind: Kind) -> DeviceModule:
    return cast("DeviceModule", importlib.import_module(kind.module))


def kinds() -> dict[str, Kind]:
    """Every kind of devices: ours, and those of plug-ins."""
    return DEVICES | {name: _loaded(row) for name, row in KINDS["device"].all().items()}


def names_of_ours() -> set[str]:
    """The names of devices that are no plug-in's."""
    return {*DEVICES, *TEXT_ONLY, "auto"}


def _loaded(row: Row) -> Kind:
    """The kind of a plug-in; of one that is broken, a kind that says so, since the others are there all the same."""
    try:
        return row.thing
    except HologramError as error:
        return Kind(row.name, "devices of a plug-in", "", fault=f"its plug-in can't be used: {error.message}")


def _message(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def find_kind(name: str) -> Kind:
    """The kind of devices that `name` (`opencl`, `opencl:1`) is of; a DeviceError if there is none."""
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        message = f"a device is named by a text, found {described(name)}"
        raise DeviceError("device-type", message, hint="such as 'cpu' or 'cuda:0'")
    plain = name.partition(":")[0]
    if plain in DEVICES:
        return DEVICES[plain]
    row = KINDS["device"].find(plain)
    if row is None:
        known = [*DEVICES, *KINDS["device"], "auto"]
        hint = TEXT_ONLY.get(plain.lower()) or did_you_mean(plain, known) or f"the devices are {', '.join(known)}"
        raise DeviceError("device-unknown", f"there is no device '{name}'", hint=hint)
    return _loaded(row)


def devices() -> dict[str, Status]:
    """The status of every kind of devices by name."""
    return {name: status(name) for name in kinds()}


def find_device(name: str) -> str:
    """The device to use for `name`, which may be `auto`: `cpu`, or `opencl:0`. A DeviceError if it can't be used."""
    if isinstance(name, str) and name in ("cpu", "auto"):  # pyright: ignore[reportUnnecessaryIsInstance]
        return _best() if name == "auto" else name
    kind = find_kind(name)
    number = _number(name)
    if kind is CPU:
        count = 1
    else:
        state = status(kind.name)
        if not state.ready:
            raise DeviceError("device-missing", f"device '{name}' can't be used: {state.why}", hint=state.fix)
        count = state.count
    if number >= count:
        message = f"there is no device '{name}': this machine has {count} of the kind"
        there = f"it is {kind.name}:0" if count == 1 else f"they are {kind.name}:0 to {kind.name}:{count - 1}"
        raise DeviceError("device-number", message, hint=there)
    return "cpu" if kind is CPU else f"{kind.name}:{number}"


def _number(name: str) -> int:
    kind, colon, number = name.partition(":")
    if not colon:
        return 0
    if (place := whole_number(number, MOST_DEVICES)) is None:
        message = f"'{name}' is no name of a device: behind the colon stands its number"
        raise DeviceError("device-name", message, hint=f"{kind}:0 is the first of its kind")
    return place


def _best() -> str:
    """The first GPU that is there, or the processor: devices that are the processor under another name do not count."""
    for name in AUTO:
        for number in range(status(name).count):
            if open_device(f"{name}:{number}").is_gpu:
                return f"{name}:{number}"
    return "cpu"


def open_device(name: str) -> Device:
    """The device with a name that `find_device` gave; one that was lost is opened anew."""
    with _lock:
        known = _open.get(name)
        if known is not None and not known.is_lost:
            return known
        kind, _, number = name.partition(":")
        device = _open[name] = _module(find_kind(kind)).open_device(int(number))
        return device


def _installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False
