# ERROR: the arrays must have one axis, one length, and elements of float32, found float32\[4\], float64\[4\]
import numpy as np

from hologram import sigil

sigil.stream("merge@c00[c01,c02]", np.zeros(4, np.float32), np.zeros(4))
