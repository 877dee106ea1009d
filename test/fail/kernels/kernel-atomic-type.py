# ERROR: kernel-atomic-type\.py:8:9: error: 'atomic_add' is not defined for i16
import hologram
from hologram.language import Array, atomic_add, i16


@hologram.kernel
def kernel(h: Array[i16]):
    a = atomic_add(h, 0, 1)


kernel.compile()
