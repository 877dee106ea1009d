# ERROR: has a magnitude of 2\^63 or more \[resonance-range\]
from hologram import resonance

resonance.to_fixed(2.0**64)
