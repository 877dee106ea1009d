# EXIT: 2
# ERROR: HOLOGRAM_ISOLATE is 'alll'
# ERROR: did you mean 'all'
from hologram.runtime.settings import current

current({"HOLOGRAM_ISOLATE": "alll"})
