# ERROR: fail_later.py:7: error: the plug-in 'fail_later' is made for version 2 of the interface
# ERROR: and this is version 1

from pathlib import Path

import hologram

hologram.load_plugin(Path(__file__).parent / "Inputs" / "fail_later.py")
