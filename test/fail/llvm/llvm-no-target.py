# EXIT: 1
# ERROR: LLVM has no target 'abacus
from hologram.lowering.emit.native import HostTarget, to_assembly

to_assembly("", HostTarget("abacus-unknown-none", "", ""))
