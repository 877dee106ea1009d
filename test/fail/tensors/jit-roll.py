# EXIT: 1
# ERROR: 3 shifts do not go with 2 axes
import numpy as np

from hologram import ops

ops.roll(np.ones((2, 2)), (1, 2, 3), axis=(0, 1))
