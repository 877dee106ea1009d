# ERROR: 'randint' gives integers, not f32 \[random-integer-type\]
import hologram

hologram.ops.random.randint(hologram.ops.random.key(1), (3,), 0, 6, "f32")
