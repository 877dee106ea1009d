# EXIT: 1
# ERROR: device 'cuda' can't be used
# ERROR: hint: use device 'cpu'
import hologram

hologram.compile("func.func @main() { return }", device="cuda")
