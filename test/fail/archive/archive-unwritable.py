# EXIT: 1
# ERROR: can.t be written
from hologram.runtime.archive import Archive, save

save(Archive(()), "/there/is/no/such/folder/x.holo")
