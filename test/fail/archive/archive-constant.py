# EXIT: 1
# ERROR: there is no constant .wieghts.
from hologram.runtime.archive import open, write
from sample_archives import sample

open(write(sample())).array("wieghts")
