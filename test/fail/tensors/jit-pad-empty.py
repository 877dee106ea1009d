# EXIT: 1
# ERROR: axis 0 has no elements that could be repeated
import numpy as np

from hologram import ops

ops.pad(np.ones((0, 2)), [(1, 0), (0, 0)], mode="edge")
