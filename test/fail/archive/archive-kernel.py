# EXIT: 1
# ERROR: did you mean .add.
import hologram
from hologram.runtime.archive import write
from sample_archives import sample

print(hologram.load(write(sample()))["ad"])
