# ERROR: kernel-atomic-local\.py:10:5: error: 'h' is the lane's own, and 'atomic_add' is for arrays that lanes share
# ERROR: hint: write h\[\.\.\.\] = \.\.\. to change an element of it
import hologram
from hologram.language import Array, atomic_add, i32, local


@hologram.kernel
def kernel(x: Array[i32]):
    h = local(i32, 4)
    atomic_add(h, 0, 1)


kernel.compile()
