# EXIT: 1
# ERROR: failed to copy: invalid value
from hologram.runtime.devices.failures import failed

raise failed("cuda:0", "copy", "invalid value")
