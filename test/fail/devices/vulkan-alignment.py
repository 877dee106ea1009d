# EXIT: 1
# ERROR: at a place that is no multiple of 16 bytes
from types import SimpleNamespace
from typing import Any

from hologram.runtime.devices.vulkan import VulkanDevice
from hologram.runtime.devices.vulkan_memory import Place

device: Any = object.__new__(VulkanDevice)
device.name = "vulkan:0"
device.adapter = SimpleNamespace(alignment=16)
device.limits = SimpleNamespace(binding=1 << 20)


def place(address: int, nbytes: int) -> Place:
    return Place(None, address, 64, None)


device.place = place
device.bindings(SimpleNamespace(info=SimpleNamespace(name="k")), [4])
