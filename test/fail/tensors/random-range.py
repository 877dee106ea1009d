# ERROR: not all integers from 0 up to 257 are of u8 \[random-range\]
import hologram

hologram.ops.random.randint(hologram.ops.random.key(1), (3,), 0, 257, "u8")
