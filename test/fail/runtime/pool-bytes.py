# ERROR: pools hold bytes, and list \[1, 2\] has none \[pool-bytes\]
import hologram

hologram.Pool(64).write(0, [1, 2])
