# EXIT: 1
# ERROR: can't generate this for nvptx64
from hologram.lowering.emit.native import to_object
from hologram.lowering.host_target import HostTarget

to_object("", HostTarget("nvptx64-nvidia-cuda", "sm_70", ""))
