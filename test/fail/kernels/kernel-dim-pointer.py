# ERROR: kernel-dim-pointer\.py:8:9: error: 'p' is a pointer, whose size is not known
import hologram
from hologram.language import Pointer, f32


@hologram.kernel
def kernel(p: Pointer[f32]):
    a = len(p)


kernel.compile()
