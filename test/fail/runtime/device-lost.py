# EXIT: 1
# ERROR: is lost, with the arrays on it
from hologram.runtime.devices.failures import lost

raise lost("cuda:0", "it fell off the bus")
