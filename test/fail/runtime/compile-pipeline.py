# EXIT: 2
# ERROR: there is no pipeline 'hologram-to-cup'
# ERROR: did you mean 'hologram-to-cpu'
import hologram

hologram.compile("func.func @main() { return }", pipeline="hologram-to-cup")
