# EXIT: 70
# ERROR: LLVM's WebAssembly object can't be loaded: it refers to 'elsewhere', which it does not have

from hologram.lowering.targets.objects.wasm import to_object
from hologram.lowering.targets.objects.wasm_link import link

link(to_object("@elsewhere = external global i32\ndefine ptr @f() {\n  ret ptr @elsewhere\n}\n"))
