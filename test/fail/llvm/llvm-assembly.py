# EXIT: 1
# ERROR: mine.s:2:3: error: the assembler refuses it: invalid instruction
from hologram.lowering.targets.objects.native import assemble
from hologram.support.host_target import host_target

assemble("  nop\n  frobnicate\n", host_target(), origin="mine.s")
