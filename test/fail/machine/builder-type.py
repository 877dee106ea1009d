# EXIT: 2
# ERROR: there is no type 'float32'
from hologram import isa

builder = isa.ProgramBuilder()
program = builder.program("p")
x = program.buffer("f32")
program.register("float32")
