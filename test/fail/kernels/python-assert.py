# ERROR: python-assert\.py:8:25: error: the message of an assertion in a kernel is a text
import hologram
from hologram.language import Array, f32


@hologram.kernel(lanes="1")
def wrong(x: Array[f32]):
    assert len(x) == 4, len(x)


wrong.compile()
