# EXIT: 1
# ERROR: the axes that 'j' names have sizes 3 and 2
import numpy as np

from hologram import ops

ops.einsum("ij,jk->ik", np.ones((2, 3)), np.ones((2, 3)))
