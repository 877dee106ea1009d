# EXIT: 1
# ERROR: 'i,j->ij' takes 2 tensors, and is given 1
import numpy as np

from hologram import ops

ops.einsum("i,j->ij", np.ones(2))
