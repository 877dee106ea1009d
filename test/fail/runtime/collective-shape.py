# EXIT: 1
# ERROR: device 1 gives an array of shape \(2,\), and device 0 one of \(3,\) \[collective-shape\]
import numpy as np

import hologram

x = np.zeros(3, np.float32)
hologram.DeviceGroup(["cpu", "cpu"]).all_reduce([x, x[:2]])
