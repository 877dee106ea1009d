# ERROR: what is taken once has no probabilities here \[random-choice-order\]
import numpy as np

import hologram

hologram.ops.random.choice(hologram.ops.random.key(1), 2, (1,), False, np.ones(2) / 2)
