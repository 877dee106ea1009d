# ERROR: did you mean .f32.

import hologram

hologram.sigil.parse("mark@c00", type="f33")
