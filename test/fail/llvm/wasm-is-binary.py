# EXIT: 2
# ERROR: a WebAssembly module is no text
# ERROR: write it to a file with -o

import io

from xdsl.dialects.builtin import ModuleOp

from hologram.dialects import make_context
from hologram.lowering.targets.objects.wasm import WasmTarget

WasmTarget().emit(make_context(), ModuleOp([]), io.StringIO())
