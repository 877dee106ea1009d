# EXIT: 2
# ERROR: an object file is no text
import io

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from hologram.lowering.pipelines.output_forms import ObjectTarget

ObjectTarget().emit(Context(), ModuleOp([]), io.StringIO())
