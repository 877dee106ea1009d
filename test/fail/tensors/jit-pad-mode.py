# EXIT: 1
# ERROR: there is no mode 'reflects'
import numpy as np

from hologram import ops

ops.pad(np.ones(5), 1, mode="reflects")
