# ERROR: a type has a name, and this is an integer \[jit-type-number\]
# ERROR: hint: as in dtype='f32'
import numpy as np

from hologram import ops

ops.cast(np.ones(3), 32)
