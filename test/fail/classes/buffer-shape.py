# EXIT: 1
# ERROR: a buffer can.t have the shape
import hologram

hologram.Executor().allocate((4, -1))
