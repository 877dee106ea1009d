# ERROR: kernel-where\.py:6:41: error: this is no comparison of sizes that a launch can check
import hologram
from hologram.language import Array, f32


@hologram.kernel(lanes="len(x)", where="x[0] == y.shape[0]")
def kernel(x: Array[f32], y: Array[f32]):
    x[0] = 0.0


kernel.compile()
