# EXIT: 1
# ERROR: a coordinate is a pair of integers, found 3
from hologram import torus

torus.add(3, (1, 2))
