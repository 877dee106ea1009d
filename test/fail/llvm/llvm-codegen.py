# EXIT: 1
# ERROR: can't generate this for nvptx64
from hologram.host_target import HostTarget
from hologram.lowering.emit.native import to_object

to_object("", HostTarget("nvptx64-nvidia-cuda", "sm_70", ""))
