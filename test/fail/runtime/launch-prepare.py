# EXIT: 1
# ERROR: a launch of 'main' can't be prepared: not all arrays are on the device
# ERROR: hint: give every array and output with hologram.array
import numpy as np

import hologram
from device_programs import add, use_paper

use_paper()
x = np.ones(4, np.float32)
hologram.compile(add(), device="paper").prepare(x, x, out=x)  # pyright: ignore
