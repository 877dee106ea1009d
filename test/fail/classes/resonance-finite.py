# ERROR: inf has no place in R \[resonance-finite\]
from hologram import resonance

resonance.to_fixed(float("inf"))
