# EXIT: 1
# ERROR: device 1 \(cpu\) gives nothing \[collective-missing\]
import numpy as np

import hologram

x = np.zeros(3, np.float32)
hologram.DeviceGroup(["cpu", "cpu"]).all_reduce([x, None])
