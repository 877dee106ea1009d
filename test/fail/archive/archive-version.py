# EXIT: 1
# ERROR: archives of version 2.0 are not known here
from hologram.runtime.archive import Archive, open, write

data = bytearray(write(Archive(())))
data[4] = 2
open(bytes(data))
