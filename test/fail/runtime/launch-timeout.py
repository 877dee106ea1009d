# EXIT: 1
# ERROR: program 'main' was stopped: its time was over \[launch-timeout\]
# ERROR: hint: the arrays that it writes may be written in part
import numpy as np

import hologram
from stopping_programs import WHILE

hologram.compile(WHILE)(np.zeros(2), timeout=0.05)
