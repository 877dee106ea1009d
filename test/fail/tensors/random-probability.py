# ERROR: a probability is from 0 to 1, not 1.5 \[random-probability\]
import hologram

hologram.ops.random.bernoulli(hologram.ops.random.key(1), 1.5)
