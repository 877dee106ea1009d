# ERROR: the range goes from 5 down to 3

from hologram.dialects.sigil.ops import TargetAttr
from hologram.dialects.sigil.syntax import RANGE, Sigil, Target

TargetAttr(Target(RANGE, (Sigil(5), Sigil(3))))
