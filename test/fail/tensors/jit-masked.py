# ERROR: tensors have no masks
import numpy as np

import hologram

hologram.ops.exp(np.ma.masked_array([1.0, 2.0], [True, False]))
