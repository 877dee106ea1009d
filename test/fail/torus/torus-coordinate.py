# EXIT: 1
# ERROR: \(48, 0\) is no coordinate of the torus with moduli 48 and 96
from hologram import torus

torus.add((48, 0), (1, 2))
