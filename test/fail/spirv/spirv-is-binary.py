# EXIT: 2
# ERROR: a SPIR-V binary is no text
import io

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from hologram.lowering.targets.spirv.target import SpirvTarget

SpirvTarget().emit(Context(), ModuleOp([]), io.StringIO())
