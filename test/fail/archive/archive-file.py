# EXIT: 1
# ERROR: can.t be opened: no such file
from hologram.runtime.archive import open

open("/there/is/no/such/file.holo")
