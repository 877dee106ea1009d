# ERROR: a circuit on pages has no stream
import numpy as np

from hologram import sigil

sigil.stream("copy@c00->c01@3", np.zeros(4, np.float32))
