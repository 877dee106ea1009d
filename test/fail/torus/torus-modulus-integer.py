# EXIT: 1
# ERROR: modulus must be an integer, found 1\.5
from hologram import torus

torus.Residues(1.5)  # pyright: ignore[reportArgumentType]
