# ERROR: fail_thing.py:11: error: the pass 'fail-thing' of the plug-in 'fail_thing' is no class
# ERROR: derived from xDSL's ModulePass

from pathlib import Path

import hologram

hologram.load_plugin(Path(__file__).parent / "Inputs" / "fail_thing.py")
