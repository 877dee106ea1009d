# ERROR: there is no generator 'filox' \[random-generator\]
import hologram

hologram.ops.random.bits(hologram.ops.random.key(1), generator="filox")
