# ERROR: R has 192 words, found 2 \[resonance-words\]
import hologram

hologram.Resonance.from_words([0, 1])
