# EXIT: 1
# ERROR: the result of 'i,j->k' can't be: 'k' is in no operand
import numpy as np

from hologram import ops

ops.einsum("i,j->k", np.ones(2), np.ones(2))
