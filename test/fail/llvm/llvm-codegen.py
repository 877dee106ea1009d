# EXIT: 1
# ERROR: can't generate this for nvptx64
from hologram.lowering.targets.objects.native import to_object
from hologram.support.host_target import HostTarget

to_object("", HostTarget("nvptx64-nvidia-cuda", "sm_70", ""))
