# ERROR: fail_instruction.py:7: error: the plug-in 'fail_instruction' declares the instruction '.*half' wrongly
# ERROR: unknown ones: \['f23'\]

from pathlib import Path

import hologram

hologram.load_plugin(Path(__file__).parent / "Inputs" / "fail_instruction.py")
