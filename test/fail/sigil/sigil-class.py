# ERROR: 'c00@48' is outside classes 0 to 95 or pages 0 to 47

from hologram.dialects.sigil.ops import TargetAttr
from hologram.dialects.sigil.syntax import SINGLE, Sigil, Target

TargetAttr(Target(SINGLE, (Sigil(0, page=48),)))
