# EXIT: 1
# ERROR: the Vulkan loader of this machine can.t be loaded: no libvulkan
from unittest import mock

from hologram.runtime.devices import vulkan_setup

vulkan_setup.api.cache_clear()
with mock.patch.object(vulkan_setup, "import_module", side_effect=OSError("no libvulkan")):
    vulkan_setup.api()
