# EXIT: 1
# ERROR: there are no buffers of 'f33'
import hologram

hologram.Executor().allocate(4, "f33")
