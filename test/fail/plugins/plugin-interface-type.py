# ERROR: fail_text.py:7: error: the version of the interface that the plug-in 'fail_text' requires is a whole number
# ERROR: hint: write plugin\.requires\(1\)

from pathlib import Path

import hologram

hologram.load_plugin(Path(__file__).parent / "Inputs" / "fail_text.py")
