# EXIT: 2
# ERROR: 'p' needs more than the 16 predicates

from hologram.isa import ProgramBuilder

program = ProgramBuilder().program("p")
for _ in range(17):
    program.register("bool")
