# EXIT: 1
# ERROR: there is no reduction 'sum' \[collective-kind\]
import numpy as np

import hologram

x = np.zeros(3, np.float32)
hologram.DeviceGroup(["cpu", "cpu"]).all_reduce([x, x], "sum")
