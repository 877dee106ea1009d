# EXIT: 2
# ERROR: 'torus\.FAMILY' has no key 7
# ERROR: hint: its keys are 8, 16, 32
from hologram import torus

print(torus.FAMILY[7])
