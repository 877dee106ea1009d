# ERROR: python-call-arguments\.py:8:12: error: functions of the language take plain arguments alone
import hologram
from hologram.language import Array, f32, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    x[0] = max(a=1.0, b=2.0)


kernel.compile()
