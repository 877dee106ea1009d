# EXIT: 1
# ERROR: reach at most 134217728
from hologram.runtime.devices.failures import binding_too_large

raise binding_too_large("webgpu:0", "add", 1 << 30, 1 << 27)
