# EXIT: 2
# ERROR: 'Fail-Name' can't be the name of a plug-in
# ERROR: names have small letters

from pathlib import Path

import hologram

hologram.load_plugin(Path(__file__).parent / "Inputs" / "Fail-Name.py")
