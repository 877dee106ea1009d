# ERROR: kernel-stored-type\.py:8:12: error: f8E5M2 is a type of memory, in which nothing is computed
import hologram
from hologram.language import Array, f8E5M2


@hologram.kernel(lanes="1")
def kernel(x: Array[f8E5M2]):
    x[0] = f8E5M2(1.5) + f8E5M2(x[0])


kernel.compile()
