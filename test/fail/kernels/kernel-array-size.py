# ERROR: kernel-array-size\.py:8:5: error: the sizes of an array of lanes are known numbers of at least 1
import hologram
from hologram.language import Array, f32, local, u32


@hologram.kernel
def kernel(x: Array[f32], n: u32):
    a = local(f32, n)


kernel.compile()
