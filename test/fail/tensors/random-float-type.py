# ERROR: these random numbers are floats, not i32 \[random-float-type\]
import hologram

hologram.ops.random.normal(hologram.ops.random.key(1), (3,), dtype="i32")
