# EXIT: 1
# ERROR: the runtime's module 'c_library' is not compiled for x86_64-haiku
# ERROR: hint: use Linux on x86-64 or aarch64, which have all
from unittest.mock import patch

from hologram.runtime import native
from hologram.runtime.devices.cpu import resources

with patch.object(native, "platform", lambda: "x86_64-haiku"):
    resources.load(native.C_LIBRARY, {}, ())
