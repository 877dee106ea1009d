# EXIT: 1
# ERROR: there is no mode 'raw' of qr
# ERROR: the modes are reduced, complete, r
import numpy as np

from hologram import ops

ops.linalg.qr(np.eye(2), mode="raw")
