# EXIT: 2
# ERROR: 'compile' was given an integer of more digits than Python writes \[argument-digits\]
# ERROR: hint: pass one that its use has room for
import hologram

hologram.compile("func.func @main() { return }", opt_level=10**5000)
