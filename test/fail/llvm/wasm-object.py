# EXIT: 70
# ERROR: LLVM's WebAssembly object can't be linked: it does not begin as WebAssembly does

from hologram.lowering.targets.objects.wasm_link import link

link(b"\x7fELF")
