# EXIT: 1
# ERROR: mine.ll: error: the LLVM IR is for nvptx64
from hologram.lowering.emit.native import compile_ir
from hologram.lowering.host_target import host_target

compile_ir('target triple = "nvptx64-nvidia-cuda"\n', host_target(), origin="mine.ll")
