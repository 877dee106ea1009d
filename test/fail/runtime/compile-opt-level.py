# EXIT: 2
# ERROR: opt_level is 9, expected 0, 1, 2 or 3
import hologram

hologram.compile("func.func @main() { return }", opt_level=9)
