"""Object code in this process, wherever it came from, and the kernels that it holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hologram.runtime.devices import open_device
from hologram.runtime.devices.cpu import shared
from hologram.runtime.entry import Entry, parse_entries
from hologram.runtime.launch import parallel_loops
from hologram.runtime.launch.kernel import Kernel, make_kernel
from hologram.support.record import Record

if TYPE_CHECKING:
    from hologram.runtime.devices.module import CpuModule
    from hologram.runtime.launch.device_program import DeviceObject
    from hologram.runtime.memory.class_memory import ClassMemory

CPU = "cpu"


class Loaded(Record):
    """Object code in this process and what it holds."""

    name: str
    """For messages."""
    device: str
    module: CpuModule
    entries: tuple[Entry, ...]
    object: DeviceObject | None = None
    """Of code for another device than the processor: the object with the code of both."""

    @staticmethod
    def of(image: bytes, name: str, device: str) -> Loaded:
        """Maps object code for a device into this process; `name` is for messages."""
        if device == CPU:
            module = shared.load(image, name)
            parallel_loops.attach(module, image)
            return Loaded(name, device, module, parse_entries(module.entries()))
        from hologram.runtime.launch.device_program import DeviceObject, check_entries

        module = shared.load(image, name, open_device(device).functions)
        entries = parse_entries(module.entries())
        check_entries(entries, name, device)
        return Loaded(name, device, module, entries, DeviceObject(image, name, device, entries, module))

    def check(self) -> None:
        """An InputError if the code is not for the device, or has not the functions that its records name."""
        from hologram.runtime.launch.device_program import check_entries

        for entry in self.entries:
            self.module.address(entry.symbol)
            if (entry.device is None) != (self.device == CPU):
                check_entries((entry,), self.name, self.device)

    def kernel(
        self, entry: Entry, classes: ClassMemory | None, strided: Callable[[str], tuple[Entry, CpuModule]]
    ) -> Kernel:
        """The kernel of an entry; `strided` gives the code for arrays of any strides."""
        if self.object is not None:
            from hologram.runtime.launch.device_kernel import DeviceKernel

            return DeviceKernel(entry, self.object, self.device, classes)
        if entry.device is not None:
            from hologram.runtime.launch.device_program import check_entries

            check_entries((entry,), self.name, self.device)
        return make_kernel(entry, self.module, self.device, strided, classes)
