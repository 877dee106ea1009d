# ERROR: fail_nothing.py' is no plug-in: it has no function 'register'
# ERROR: define 'def register\(plugin\):'

from pathlib import Path

import hologram

hologram.load_plugin(Path(__file__).parent / "Inputs" / "fail_nothing.py")
