# ERROR: numpy computes uint64 and int64 in float64, which is no type of integers \[torus-mixed\]
import numpy as np

from hologram import torus

torus.check_addition_coherence(np.zeros(2, np.uint64), np.zeros(2, np.int64))
