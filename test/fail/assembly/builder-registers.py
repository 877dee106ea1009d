# EXIT: 2
# ERROR: 'p' needs more than the 252 registers

from hologram.isa import ProgramBuilder

program = ProgramBuilder().program("p")
for _ in range(4):
    program.register("u4096")
