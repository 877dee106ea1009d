# EXIT: 1
# ERROR: device 1 gives an array of float64, and device 0 one of float32 \[collective-dtype\]
import numpy as np

import hologram

x = np.zeros(3, np.float32)
hologram.DeviceGroup(["cpu", "cpu"]).all_reduce([x, x.astype(float)])
