# EXIT: 1
# ERROR: there is no program .ad.
from hologram.runtime.archive import open, write
from sample_archives import sample

open(write(sample())).number("ad")
