# ERROR: kernel-constant-missing\.py:7:27: error: nothing says what 'K' is
import hologram
from hologram.language import Array, Constant, f32


@hologram.kernel
def kernel(x: Array[f32], K: Constant):
    x[0] = K


kernel.compile()
