# ERROR: a seed has 64 bits \[random-seed\]
import hologram

hologram.jit(lambda: hologram.ops.random.key(1 << 64))()
