# ERROR: kernel-lanes-pointer\.py:7:25: error: 'p' is a pointer, whose size is not known
# ERROR: hint: pass it beside
import hologram
from hologram.language import Pointer, f32


@hologram.kernel(lanes="p.shape[0]")
def kernel(p: Pointer[f32]):
    p[0] = 0.0


kernel.compile()
