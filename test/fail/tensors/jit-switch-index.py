# ERROR: the index of a branch is an integer or a tensor of integers without axes \[jit-switch-index\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.switch(x, [lambda: 1]))(np.ones(3))
