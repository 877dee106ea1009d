# EXIT: 2
# ERROR: error: 'wrong' is called with arrays on cuda:0 and opencl:0
import numpy as np

import hologram


class Elsewhere:
    """An array on a device."""

    def __init__(self, device):
        self.device = self.home = device
        self.dtype, self.shape, self.ndim = np.dtype(np.float32), (3,), 1


@hologram.jit
def wrong(x, y):
    return x + y


wrong(Elsewhere("cuda:0"), Elsewhere("opencl:0"))
