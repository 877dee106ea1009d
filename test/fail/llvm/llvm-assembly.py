# EXIT: 1
# ERROR: mine.s:2:3: error: the assembler refuses it: invalid instruction
from hologram.lowering.emit.native import assemble
from hologram.lowering.host_target import host_target

assemble("  nop\n  frobnicate\n", host_target(), origin="mine.s")
