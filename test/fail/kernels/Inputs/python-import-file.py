import hologram
from hologram.language import Array, i64

from .nowhere import chunks


@hologram.kernel(lanes="1")
def kernel(x: Array[i64]):
    x[0] = chunks(x[0])
