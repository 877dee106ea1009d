# ERROR: there is no integer from 6 up to 6 \[random-interval\]
import hologram

hologram.ops.random.randint(hologram.ops.random.key(1), (3,), 6, 6)
