# ERROR: jit-recursion\.py:8:1: error: 'endless' calls functions within functions deeper than Python goes
# ERROR: hint: a function that calls itself must end
import numpy as np

import hologram


@hologram.jit
def endless(x):
    return endless(x + 1)


endless(np.zeros(3, np.float32))
