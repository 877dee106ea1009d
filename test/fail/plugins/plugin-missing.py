# EXIT: 2
# ERROR: there is no file or module '.*fail_nothin.py' to load a plug-in from
# ERROR: did you mean 'fail_nothing.py'

from pathlib import Path

import hologram

hologram.load_plugin(Path(__file__).parent / "Inputs" / "fail_nothin.py")
