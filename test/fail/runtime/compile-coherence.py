# EXIT: 2
# ERROR: error: coherence=True asks for the pipeline 'hologram-to-cpu-coherent', pipeline= for 'hologram-to-cpu'
# ERROR: hint: give one of them
import hologram

hologram.compile("func.func @main() { return }", pipeline="hologram-to-cpu", coherence=True)
