# EXIT: 1
# ERROR: no memory for 1099511627776 bytes
from hologram.runtime.devices.failures import memory_full

raise memory_full("opencl:0", 1 << 40)
