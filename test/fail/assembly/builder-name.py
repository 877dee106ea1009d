# EXIT: 2
# ERROR: builder-name\.py:5:1: error: 'two words' is no name of a program or function
from hologram import isa

isa.ProgramBuilder().program("two words")
