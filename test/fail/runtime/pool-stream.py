# EXIT: 1
# ERROR: an array of shape \(2, 2\) and 8 bytes an element can't stream
import numpy as np

import hologram

next(hologram.Pool(16).stream(np.zeros((2, 2))))
