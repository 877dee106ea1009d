# EXIT: 2
# ERROR: HOLOGRAM_DEBUG is 'loud', expected a whole number
from hologram.runtime.settings import current

current({"HOLOGRAM_DEBUG": "loud"})
