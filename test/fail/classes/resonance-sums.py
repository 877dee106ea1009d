# ERROR: R has 96 sums, found 3 \[resonance-sums\]
import hologram

hologram.Resonance([1, 2, 3])
