# EXIT: 1
# ERROR: 5 slices along axis 0 do not make 2 equal parts
import numpy as np

from hologram import ops

ops.split(np.ones(5), 2)
