# EXIT: 1
# ERROR: LLVM has no target 'abacus
from hologram.host_target import HostTarget
from hologram.lowering.emit.native import to_assembly

to_assembly("", HostTarget("abacus-unknown-none", "", ""))
