# ERROR: 'sqrt' takes 1 argument, and is given 2
import numpy as np

import hologram
from hologram.language import sqrt


@hologram.jit
def root(x):
    return sqrt(x, x)


root(np.ones(3, np.float32))
