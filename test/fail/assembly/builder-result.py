# EXIT: 2
# ERROR: 'f' is a program, which gives no values
# ERROR: hint: builder\.function makes functions
from hologram import isa

isa.ProgramBuilder().program("f").result("f32")
