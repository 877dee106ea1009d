# ERROR: python-operation-results\.py:7:1: error: 'sort2' has 2 results, and kernels take one
import hologram
from hologram.language import Array, f32


@hologram.operation(circuit=hologram.sigil.library()["sort2"])
def sort2(a, b):
    pass


@hologram.kernel(lanes="1")
def wrong(x: Array[f32]):
    x[0] = sort2(x[0], x[1])


wrong.compile()
