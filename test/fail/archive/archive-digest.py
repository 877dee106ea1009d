# EXIT: 1
# ERROR: the header does not fit its digest
from hologram.runtime.archive import Archive, open, write

data = bytearray(write(Archive(())))
data[70] ^= 1
open(bytes(data))
