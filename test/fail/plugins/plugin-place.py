# EXIT: 2
# ERROR: a plug-in is a file, a folder, or a module, found int

import hologram

hologram.load_plugin(7)
