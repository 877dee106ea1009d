# EXIT: 1
# ERROR: Vulkan can.t be started: Broken
from unittest import mock

from hologram.runtime.devices.vulkan import setup


class Broken(Exception):
    pass


wheel = mock.Mock(VkException=Broken, VkError=Broken)
wheel.vkCreateInstance.side_effect = Broken
with mock.patch.object(setup, "api", return_value=wheel):
    setup.instance.cache_clear()
    setup.instance()
