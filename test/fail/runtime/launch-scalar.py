# EXIT: 1
# ERROR: argument 'n' must be an integer, found float 2.5
import hologram

kernel = hologram.compile("func.func @main(%n: i8) { return }")
kernel(2.5)
