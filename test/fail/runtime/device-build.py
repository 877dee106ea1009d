# EXIT: 1
# ERROR: opencl:0 does not take the code: line 1
from hologram.runtime.devices.failures import not_built

raise not_built("opencl:0", "line 1: no such type")
