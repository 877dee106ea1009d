# ERROR: a key is a vector of two u32, not \(2\) of i64 \[random-key\]
import hologram

hologram.ops.random.bits([1, 2])
