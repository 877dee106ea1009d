# EXIT: 2
# ERROR: HOLOGRAM_NUM_THREADS is 'all', expected a whole number from 1 to 1024 \[setting-threads\]
from hologram.runtime.settings import current

current({"HOLOGRAM_NUM_THREADS": "all"})
