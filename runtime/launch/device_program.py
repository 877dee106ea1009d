"""A compiled program on a device: its host code loaded into this process, its device code into the device."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence

from hologram.errors import InputError
from hologram.runtime.devices import open_device
from hologram.runtime.devices.cpu import shared
from hologram.runtime.devices.module import CpuModule
from hologram.runtime.devices.protocol import CODE, CONTEXT, TRAP_BYTES, Device, DeviceProgram, KernelInfo
from hologram.runtime.entry import DeviceCode, Entry
from hologram.support.hidden import TRAP

Words = ctypes.c_int64 * (TRAP_BYTES // 8)


class Bound:
    """The program as it is loaded on one device that is open."""

    def __init__(self, device: Device, module: CpuModule, code: DeviceCode):
        self.device = device
        self.module = module
        data = module.data(CODE, code.nbytes)
        kernels = [KernelInfo.from_json(kernel) for kernel in code.kernels]
        self.traps = any(argument.role == TRAP for kernel in kernels for argument in kernel.arguments)
        with device.lock:
            self._record = device.allocate(TRAP_BYTES) if self.traps else 0
            if self.traps:
                device.fill(self._record, 0, TRAP_BYTES)
            self.program: DeviceProgram = device.load(data, kernels, self._record)
        ctypes.c_int64.from_address(module.address(CONTEXT)).value = self.program.context
        weakref.finalize(self, _unload, device, self.program, self._record)

    def take_record(self) -> list[int] | None:
        """Return the device's trap record, which is cleared, or None if nothing trapped. Waits for the device."""
        words = Words()
        self.device.read(self._record, memoryview(words).cast("B")).wait()
        if not words[0]:
            return None
        self.device.fill(self._record, 0, TRAP_BYTES)
        return list(words)


def _unload(device: Device, program: DeviceProgram, record: int) -> None:
    if device.is_lost:
        return
    with device.lock:
        program.close()
        if record:
            device.free(record)


class DeviceObject:
    """An object with host and device code, and the device that it is for; bound when it is used."""

    def __init__(self, image: bytes, name: str, device: str, entries: Sequence[Entry], module: CpuModule):
        self.device = device
        self._image = image
        self._name = name
        self._code = next(entry.device for entry in entries if entry.device is not None)
        self._module: CpuModule | None = module
        self._bound: Bound | None = None

    def bound(self) -> Bound:
        """The program on its device, loaded anew if the device was lost."""
        device = open_device(self.device)
        known = self._bound
        if known is not None and known.device is device:
            return known
        with device.lock:
            # Host code knows one context, so it is loaded once for each.
            module, self._module = self._module, None
            if module is None:
                module = shared.load(self._image, self._name, device.functions)
            self._bound = Bound(device, module, self._code)
        return self._bound


def check_entries(entries: Sequence[Entry], name: str, device: str) -> None:
    """Raises an InputError for an object that was compiled for another kind of device."""
    wanted = device.partition(":")[0]
    for entry in entries:
        kind = "cpu" if entry.device is None else entry.device.kind
        if kind != wanted:
            message = f"'{name}' was compiled for device '{kind}', and device '{device}' can't run it"
            raise InputError("object-device", message, hint=f"use device='{kind}', or compile the source again")
