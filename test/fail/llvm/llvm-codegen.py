# EXIT: 1
# ERROR: can't generate this for nvptx64
from hologram.lowering.emit.native import HostTarget, to_object

to_object("", HostTarget("nvptx64-nvidia-cuda", "sm_70", ""))
