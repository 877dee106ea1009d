# EXIT: 1
# ERROR: modulus is 0, but a modulus is at least 1
from hologram import torus

torus.Residues(0)
