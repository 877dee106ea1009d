# EXIT: 1
# ERROR: differences are taken -1 times
import numpy as np

from hologram import ops

ops.diff(np.ones(5), n=-1)
