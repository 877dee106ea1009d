# ERROR: 1 arrays are given, and the circuit reads classes 0, 1 before it writes them
import numpy as np

from hologram import sigil

sigil.stream("merge@c00[c01,c02]", np.zeros(4, np.float32))
