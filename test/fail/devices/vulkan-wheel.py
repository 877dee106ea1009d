# EXIT: 1
# ERROR: devices of Vulkan need the package vulkan: no such module
from unittest import mock

from hologram.runtime.devices import vulkan_setup

vulkan_setup.api.cache_clear()
with mock.patch.object(vulkan_setup, "import_module", side_effect=ImportError("no such module")):
    vulkan_setup.api()
