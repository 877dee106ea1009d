import hologram
from hologram.kernels.stdlib.blocks import chunk
from hologram.language import Array, i64


@hologram.kernel(lanes="1")
def kernel(x: Array[i64]):
    x[0] = chunk(x[0])
