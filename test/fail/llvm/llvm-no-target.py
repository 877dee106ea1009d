# EXIT: 1
# ERROR: LLVM has no target 'abacus
from hologram.lowering.emit.native import to_assembly
from hologram.lowering.host_target import HostTarget

to_assembly("", HostTarget("abacus-unknown-none", "", ""))
