# ERROR: resonance is 96, out of the range of 0 to 95

from hologram import monster

monster.route_add((0, 0), (0, 96))
