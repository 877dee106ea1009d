# EXIT: 2
# ERROR: 'buf0' belongs to another program than 'q'
from hologram import isa

builder = isa.ProgramBuilder()
program = builder.program("p")
x = program.buffer("f32")
builder.program("q").emit("ldg.f32", "r0", x)
