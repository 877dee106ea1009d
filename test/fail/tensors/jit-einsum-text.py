# EXIT: 1
# ERROR: does not name axes: 'i1' is not made of letters
import numpy as np

from hologram import ops

ops.einsum("i1->i", np.ones(2))
