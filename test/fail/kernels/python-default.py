# ERROR: python-default\.py:7:21: error: only constants have defaults, and these are numbers
import hologram
from hologram.language import u32


@hologram.kernel
def kernel(n: u32 = 3):
    pass


kernel.compile()
