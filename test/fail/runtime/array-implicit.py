# EXIT: 1
# ERROR: not turned into a numpy array unasked
# ERROR: hint: x.numpy\(\)
import numpy as np

import hologram
from device_programs import use_paper

use_paper()
np.asarray(hologram.zeros(3, device="paper"))
