# EXIT: 1
# ERROR: there is no device 'gpu'
# ERROR: hint:
import hologram

hologram.compile("func.func @main() { return }", device="gpu")
