# ERROR: circuit @main takes no arguments, found 1

import hologram
from hologram.interpreter import interpret

interpret(hologram.sigil.parse("copy@c00->c01"), None, [1])
