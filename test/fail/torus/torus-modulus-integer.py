# EXIT: 1
# ERROR: the page's modulus must be an integer, found 1\.5
from hologram import torus

torus.Torus(1.5, 3)  # pyright: ignore[reportArgumentType]
