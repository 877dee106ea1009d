# EXIT: 1
# ERROR: the buffer was freed
import hologram

buffer = hologram.Executor().allocate(4)
buffer.free()
buffer.copy()
