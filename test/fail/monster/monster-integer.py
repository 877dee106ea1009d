# ERROR: page must be an integer, found float 1.5
# ERROR: page is 0 to 47

from hologram import monster

monster.lift_to_monster((1.5, 0))  # pyright: ignore[reportArgumentType]
