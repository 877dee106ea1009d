# ERROR: there is no number from 1.0 up to -1.0 \[random-interval-float\]
import hologram

hologram.ops.random.uniform(hologram.ops.random.key(1), (3,), 1.0, -1.0)
