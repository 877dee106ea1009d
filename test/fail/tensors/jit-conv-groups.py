# ERROR: jit-conv-groups\.py:7:1: error: there is one group at least, and not 0
import numpy as np

from hologram import ops

x = np.zeros((1, 2, 5, 5), np.float32)
ops.conv2d(x, x, groups=0)
