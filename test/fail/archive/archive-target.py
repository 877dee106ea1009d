# EXIT: 1
# ERROR: has no code of program .sub. that cpu can run: it has code for nothing
import hologram
from hologram.runtime.archive import write
from sample_archives import sample

print(hologram.load(write(sample()), strict=True)["sub"])
