# EXIT: 2
# ERROR: u256 has a last axis of 4 limbs of u64, found float64 of shape \(2, 4\)
import numpy as np

import hologram

hologram.integers(np.zeros((2, 4)), "u256")
