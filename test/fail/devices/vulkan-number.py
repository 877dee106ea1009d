# EXIT: 1
# ERROR: there is no device vulkan:1; this machine has 0
from contextlib import ExitStack
from unittest import mock

from hologram.runtime.devices.vulkan import device as vulkan

with ExitStack() as stack:
    stack.callback(vulkan.adapters.cache_clear)
    stack.enter_context(mock.patch.object(vulkan, "find_adapters", return_value=()))
    vulkan.adapters.cache_clear()
    vulkan.open_device(1)
