# EXIT: 1
# ERROR: the coordinates along an axis are a vector, and this has 2 axes
import numpy as np

from hologram import ops

ops.meshgrid(np.ones((2, 2)), np.ones(3))
