# EXIT: 1
# ERROR: 'ijk' names 3 axes, and the tensor has 2
import numpy as np

from hologram import ops

ops.einsum("ijk->i", np.ones((2, 2)))
