# ERROR: the module has no circuit
import numpy as np

import hologram
from hologram import sigil

module = hologram.isa.assemble(".program p() {\n  exit\n}\n")
sigil.stream(module, np.zeros(4, np.float32))
