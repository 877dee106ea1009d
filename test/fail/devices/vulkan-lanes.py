# EXIT: 1
# ERROR: is launched with more than 2.32 lanes
from types import SimpleNamespace
from typing import Any

from hologram.runtime.devices.vulkan import VulkanDevice

device: Any = object.__new__(VulkanDevice)
device.name = "vulkan:0"
device.check_lanes(SimpleNamespace(info=SimpleNamespace(name="k")), (1 << 30, 1, 1), (8, 1, 1))
