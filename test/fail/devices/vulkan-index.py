# EXIT: 1
# ERROR: a size or index of 2147483648 does not fit the 32 bits
from hologram.runtime.devices.vulkan.programs import pack_scalars

pack_scalars(["index"], [(1 << 31).to_bytes(8, "little")], (1, 1, 1))
