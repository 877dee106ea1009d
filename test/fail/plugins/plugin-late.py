# ERROR: fail_late.py:7: error: the pass 'fail-late' of the plug-in 'fail_late' can't be loaded
# ERROR: from 'fail_late_nowhere:Pass': ModuleNotFoundError

from pathlib import Path

import hologram
from hologram.lowering.pipelines.pass_spec import PassCall
from hologram.lowering.pipelines.pipelines import find_pass
from plugin_state import fresh_plugins

with fresh_plugins():
    hologram.load_plugin(Path(__file__).parent / "Inputs" / "fail_late.py")
    find_pass(PassCall("fail-late"))
