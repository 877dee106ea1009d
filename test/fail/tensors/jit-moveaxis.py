# EXIT: 1
# ERROR: 2 axes can't move to 1 places
import numpy as np

from hologram import ops

ops.moveaxis(np.ones((2, 2)), (0, 1), 0)
