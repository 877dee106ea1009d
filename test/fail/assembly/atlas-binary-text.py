# EXIT: 2
# ERROR: a binary container is no text

import io

from xdsl.context import Context

from hologram import isa
from hologram.lowering.machine.binary import AtlasBinaryTarget

AtlasBinaryTarget().emit(Context(), isa.assemble(".program p() { exit }"), io.StringIO())
