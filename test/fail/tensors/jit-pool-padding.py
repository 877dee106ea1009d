# EXIT: 1
# ERROR: a padding of 2 is more than half of a window of 3
import numpy as np

from hologram import ops

ops.max_pool2d(np.ones((1, 1, 4, 4)), 3, padding=2)
