# EXIT: 1
# ERROR: does not time its work
from hologram.runtime.devices.protocol import Done

Done().elapsed(Done())
