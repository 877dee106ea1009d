# EXIT: 1
# ERROR: argument 'n' is 200, out of the range of i8
import hologram

kernel = hologram.compile("func.func @main(%n: i8) { return }")
kernel(200)
