# EXIT: 1
# ERROR: Vulkan can.t be started: Broken
from unittest import mock

from hologram.runtime.devices import vulkan_setup


class Broken(Exception):
    pass


wheel = mock.Mock(VkException=Broken, VkError=Broken)
wheel.vkCreateInstance.side_effect = Broken
with mock.patch.object(vulkan_setup, "api", return_value=wheel):
    vulkan_setup.instance.cache_clear()
    vulkan_setup.instance()
