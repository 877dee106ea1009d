# ERROR: kernel-assert\.py:10:5: error: no lane gets past this: the size is 4
import hologram
from hologram.language import Array, f32

SIZE = 3


@hologram.kernel(lanes="1")
def wrong(x: Array[f32]):
    assert SIZE == 4, "the size is 4"
    x[0] = 1.0


wrong.compile()
