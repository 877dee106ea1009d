# EXIT: 1
# ERROR: the moduli 48 and 100 make no torus
from hologram import torus

torus.Torus(48, 100)
