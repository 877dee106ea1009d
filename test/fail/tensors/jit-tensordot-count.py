# EXIT: 1
# ERROR: tensors with 2 and 1 axes are not summed over 2 of them
import numpy as np

from hologram import ops

ops.tensordot(np.ones((2, 2)), np.ones(2))
