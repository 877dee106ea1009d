# EXIT: 1
# ERROR: the group has 2 devices, found 1 arrays \[collective-count\]
import numpy as np

import hologram

x = np.zeros(3, np.float32)
hologram.DeviceGroup(["cpu", "cpu"]).all_reduce([x])
