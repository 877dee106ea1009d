# EXIT: 1
# ERROR: there is no indexing 'xyz'
from hologram import ops

ops.meshgrid([1, 2], [3], indexing="xyz")
