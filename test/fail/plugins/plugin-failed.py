# ERROR: fail_broken.py:7: error: the plug-in 'fail_broken' fails: KeyError: 'pass'
# ERROR: that is a fault of

from pathlib import Path

import hologram

hologram.load_plugin(Path(__file__).parent / "Inputs" / "fail_broken.py")
