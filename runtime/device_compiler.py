"""`hologram.compile` for a device other than the processor: the same caches, the device's pipeline, and its loading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hologram.runtime.class_memory import ClassMemory
from hologram.runtime.compiler import Build, Loaded
from hologram.runtime.device_kernel import DeviceKernel
from hologram.runtime.device_program import DeviceObject, check_entries
from hologram.runtime.devices import cpu_shared, find_kind, open_device
from hologram.runtime.entry import choose_entry, parse_entries
from hologram.runtime.settings import current

if TYPE_CHECKING:
    from hologram.runtime.kernel import Kernel
    from hologram.runtime.lower import Lowering
    from hologram.runtime.source import Source


def compile_for(
    source: Source,
    device: str,
    opt_level: int,
    cache: bool,
    pipeline: str | None,
    entry: str | None,
    classes: ClassMemory | None,
    asked: str,
) -> Kernel:
    """A kernel on `device`, which the caller called `asked`; the rest is as for `hologram.compile`."""
    build = DeviceBuild(source, current(), device, opt_level, cache, pipeline)
    loaded = build.load()
    assert isinstance(loaded, LoadedForDevice)
    chosen = choose_entry(loaded.entries, entry, build.source.name)
    if asked == "auto":
        build.say(1, f"device '{build.device}' is used")
    return DeviceKernel(chosen, loaded.object, build.device, classes)


@dataclass(frozen=True)
class LoadedForDevice(Loaded):
    """The host code in memory, and the object that it is of."""

    object: DeviceObject


@dataclass(frozen=True)
class DeviceBuild(Build):
    """A build whose outcome is an object with host and device code."""

    def key(self, layout: str, *program: str | bytes) -> str:
        """What decides the object code, the device's options among it."""
        options = open_device(self.device).options
        return super().key(layout, *(f"{name}={value}" for name, value in sorted(options.items())), *program)

    def _map(self, image: bytes) -> Loaded:
        module = cpu_shared.load(image, self.source.name, open_device(self.device).functions)
        entries = parse_entries(module.entries())
        check_entries(entries, self.source.name, self.device)
        return LoadedForDevice(module, entries, DeviceObject(image, self.source.name, self.device, entries, module))

    def _lowering(self, layout: str) -> Lowering:
        from hologram.lowering.pipelines import stages_for
        from hologram.runtime.lower import Lowering

        device = open_device(self.device)
        device.will_compile()
        kind, options = find_kind(self.device), dict(device.options)
        stages = stages_for(kind.name, options) if kind.stages is None else kind.stages(options)
        return Lowering(self.source, kind.name, self.pipeline, layout, self._note, stages)
