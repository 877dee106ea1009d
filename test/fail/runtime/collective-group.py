# EXIT: 1
# ERROR: a group has at least one device, and each executor once \[collective-group\]
import hologram

hologram.DeviceGroup([])
