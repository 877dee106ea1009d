# EXIT: 1
# ERROR: the Vulkan loader of this machine can.t be loaded: no libvulkan
from unittest import mock

from hologram.runtime.devices.vulkan import setup

setup.api.cache_clear()
with mock.patch.object(setup, "import_module", side_effect=OSError("no libvulkan")):
    setup.api()
