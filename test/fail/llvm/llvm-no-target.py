# EXIT: 1
# ERROR: LLVM has no target 'abacus
from hologram.lowering.targets.objects.native import to_assembly
from hologram.support.host_target import HostTarget

to_assembly("", HostTarget("abacus-unknown-none", "", ""))
