# EXIT: 1
# ERROR: kernel 'add' is launched with 4294967296 blocks, and opencl:0 counts them in 32 bits
from hologram.runtime.devices.failures import check_blocks

check_blocks("opencl:0", "add", (1 << 16, 1 << 16, 1))
