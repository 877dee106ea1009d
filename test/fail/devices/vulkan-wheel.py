# EXIT: 1
# ERROR: devices of Vulkan need the package vulkan: no such module
from unittest import mock

from hologram.runtime.devices.vulkan import setup

setup.api.cache_clear()
with mock.patch.object(setup, "import_module", side_effect=ImportError("no such module")):
    setup.api()
