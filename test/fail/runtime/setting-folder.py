# EXIT: 2
# ERROR: HOLOGRAM_CACHE_DIR is 'build/cache', expected the whole path of a folder
# ERROR: hint: it holds code that is run, so it must not depend on the folder that a program is started in
from hologram.runtime.settings import current

current({"HOLOGRAM_CACHE_DIR": "build/cache"})
