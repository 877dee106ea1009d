# EXIT: 1
# ERROR: there is no triangle 'lower'
# ERROR: UPLO is "L", the lower one, or "U"
import numpy as np

from hologram import ops

ops.linalg.eigh(np.eye(2), UPLO="lower")
