# EXIT: 1
# ERROR: the header says .* bytes, the file has
from hologram.runtime.archive import Archive, open, write

open(write(Archive(()))[:-64])
