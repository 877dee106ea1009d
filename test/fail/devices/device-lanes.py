# EXIT: 1
# ERROR: is launched with more than 2.32 lanes
from hologram.runtime.devices.failures import check_lanes

check_lanes("vulkan:0", "k", (1 << 30, 1, 1), (8, 1, 1))
