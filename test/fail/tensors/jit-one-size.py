# EXIT: 1
# ERROR: one number is needed, not 2
from hologram import ops

ops.eye((2, 3))
