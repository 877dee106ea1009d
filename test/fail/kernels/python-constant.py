# EXIT: 2
# ERROR: error: 'kernel' has no constant 'k'
import hologram
from hologram.language import Array, Constant, f32


@hologram.kernel
def kernel(x: Array[f32], K: Constant = 2):
    x[0] = K


kernel.compile(k=3)
