# EXIT: 1
# ERROR: the size -1 of the shape \(-1, 3\) is below 0
from hologram import ops

ops.zeros((-1, 3))
