# ERROR: the size -3 of a shape is below 0 \[random-shape\]
import hologram

hologram.ops.random.bits(hologram.ops.random.key(1), (2, -3))
