# ERROR: fail_taken.py:7: error: the plug-in 'fail_taken' brings the pass 'canonicalize', a name that
# ERROR: is taken: it is Hologram's own

from pathlib import Path

import hologram

hologram.load_plugin(Path(__file__).parent / "Inputs" / "fail_taken.py")
