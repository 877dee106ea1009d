# EXIT: 1
# ERROR: there is no system of kind 3
import numpy as np

from hologram import ops

ops.linalg.solve_triangular(np.eye(2), np.ones(2), trans=3)
