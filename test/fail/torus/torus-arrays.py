# ERROR: 'matmul' can't take arrays of these shapes: .*\[torus-arrays\]
import numpy as np

from hologram import torus

torus.matmul(np.ones((2, 3), np.uint16), np.ones((2, 3), np.uint16))
