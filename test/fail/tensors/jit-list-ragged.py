# ERROR: the lists within a list differ in length, so it is no array \[jit-list-ragged\]
import hologram

hologram.ops.exp([[1.0], [2.0, 3.0]])
