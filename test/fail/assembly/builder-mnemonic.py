# EXIT: 2
# ERROR: 'mov\.u64 r0, %gid' is no mnemonic
# ERROR: hint: operands are arguments
from hologram import isa

program = isa.ProgramBuilder().program("f")
program.emit("mov.u64 r0, %gid")
