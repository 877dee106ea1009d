# EXIT: 1
# ERROR: it does not begin as one
from hologram.runtime.archive import open

open(b"PK" + bytes(100))
