# EXIT: 70
# ERROR: LLVM ended its process while it compiled for a device: cannot select this
# ERROR: hologram-helper-.*\.ll; please report it
from hologram.lowering.targets.objects.compile_helper import CompileHelper

CompileHelper().request("die", {}, b"cannot select this")
