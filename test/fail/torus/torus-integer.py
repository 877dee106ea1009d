# EXIT: 1
# ERROR: page must be an integer, found 1\.5
from hologram import torus

torus.offset(1.5, 2)
