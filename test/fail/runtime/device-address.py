# EXIT: 1
# ERROR: nothing is allocated at address 0x1000
from hologram.runtime.devices.failures import bad_address

raise bad_address("cuda:0", 4096)
