# EXIT: 2
# ERROR: an offset of -4 bytes lies before 'buf0'
from hologram import isa

builder = isa.ProgramBuilder()
program = builder.program("p")
x = program.buffer("f32")
program.emit("ldg.f32", program.register("f32"), x[-4])
