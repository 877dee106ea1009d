# ERROR: a range goes from a number to one that is not below it, not from 5 to 1 \[jit-histogram-ends\]
import numpy as np

from hologram import ops

ops.histogram(np.ones(3), bins=3, range=(5, 1))
