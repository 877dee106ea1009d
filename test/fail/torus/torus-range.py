# EXIT: 1
# ERROR: byte is 256, out of the range of 0 to 255
from hologram import torus

torus.phi_encode(1, 256)
