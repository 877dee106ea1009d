# ERROR: bits are unsigned integers, not i32 \[random-bits-type\]
import hologram

hologram.ops.random.bits(hologram.ops.random.key(1), (3,), "i32")
