# EXIT: 1
# ERROR: 24833 is no packed coordinate of the torus with moduli 48 and 96
import numpy as np

from hologram import torus

torus.pairs(np.array([97 << 8 | 1], np.uint16))
