# EXIT: 2
# ERROR: no pipeline with coherence checks to device 'paper:0'
import hologram
from device_programs import use_paper

use_paper()
hologram.compile("func.func @main() { return }", device="paper", coherence=True)
