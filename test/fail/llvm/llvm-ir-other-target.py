# EXIT: 1
# ERROR: mine.ll: error: the LLVM IR is for nvptx64
from hologram.lowering.targets.objects.native import compile_ir
from hologram.support.host_target import host_target

compile_ir('target triple = "nvptx64-nvidia-cuda"\n', host_target(), origin="mine.ll")
