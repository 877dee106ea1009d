# ERROR: fail_alone.py:7: error: the plug-in 'fail_alone' gives the name 'signs' alone
# ERROR: hint: give it itself, or its name and place: 'signs', 'module:Name'

from pathlib import Path

import hologram

hologram.load_plugin(Path(__file__).parent / "Inputs" / "fail_alone.py")
