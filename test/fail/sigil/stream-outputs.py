# ERROR: the circuit does not write class 5
# ERROR: it writes 2
import numpy as np

from hologram import sigil

x = np.zeros(4, np.float32)
sigil.stream("merge@c00[c01,c02]", x, x, outputs=(5,))
