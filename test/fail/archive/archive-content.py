# EXIT: 1
# ERROR: constant .w. of shape
from hologram.runtime.archive import Archive, Constant, write

write(Archive((), (Constant("w", "f32", (3,), b"1234"),)))
