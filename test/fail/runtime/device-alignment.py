# EXIT: 1
# ERROR: 3 bytes into its memory; webgpu:0 binds multiples of 4
from hologram.runtime.devices.failures import misaligned

raise misaligned("webgpu:0", "add", 3, 4)
