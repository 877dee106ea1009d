# EXIT: 1
# ERROR: OpenCL has no driver here: none was found
from hologram.runtime.devices.failures import no_driver

raise no_driver("OpenCL", "none was found", "install one")
