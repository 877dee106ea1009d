# ERROR: a coordinate is a pair of integers, found int 9 \[monster-coordinate\]
from hologram import monster

monster.lift_to_monster(9)  # pyright: ignore
