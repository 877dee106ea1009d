# EXIT: 1
# ERROR: mine.ll: error: the LLVM IR is for nvptx64
from hologram.host_target import host_target
from hologram.lowering.emit.native import compile_ir

compile_ir('target triple = "nvptx64-nvidia-cuda"\n', host_target(), origin="mine.ll")
