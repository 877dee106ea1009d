# ERROR: there is no class 96 \[resonance-class\]
import hologram

hologram.Resonance([0] * 96).exact(96)
