# EXIT: 1
# ERROR: at most 1073741824 bytes
from hologram.runtime.devices.failures import too_large

raise too_large("opencl:0", 1 << 40, 1 << 30)
