# EXIT: 1
# ERROR: mine.s:2:3: error: the assembler refuses it: invalid instruction
from hologram.host_target import host_target
from hologram.lowering.emit.native import assemble

assemble("  nop\n  frobnicate\n", host_target(), origin="mine.s")
