# ERROR: kernel-symbol\.py:7:1: error: 'größe' is a name that not every device has letters for
import hologram
from hologram.language import Array, f32


@hologram.kernel
def größe(x: Array[f32]):
    x[0] = 1.0


größe.compile()
